import type { ImageBlock } from "../../protocol/index.js";
import { ToolError } from "../errors.js";

export const MAX_IMAGES = 16;
/** Of the image itself, not of its base64. */
export const MAX_IMAGE_BYTES = 8 * 1_024 * 1_024;

const MEDIA_TYPE = /^image\/[a-z0-9.+-]{1,64}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A copy of the image, to be the next after `count`. */
export function checkImage({ mediaType, data }: ImageBlock, count: number): ImageBlock {
  if (count >= MAX_IMAGES) {
    throw new ToolError(
      "too_many_images",
      `A call gives at most ${MAX_IMAGES} images; leave this one out or join some.`,
    );
  }
  if (!MEDIA_TYPE.test(mediaType)) {
    throw new ToolError("invalid_argument", `An image's mediaType is like image/png, not "${mediaType}".`);
  }
  const bytes = decodedBytes(data);
  if (bytes > MAX_IMAGE_BYTES) {
    throw new ToolError(
      "image_too_large",
      `An image has at most ${MAX_IMAGE_BYTES} bytes, this one ${bytes}; scale it down.`,
    );
  }
  if (bytes === 0 || data.length % 4 !== 0 || !BASE64.test(data)) {
    throw new ToolError("invalid_argument", "An image's data is its bytes in base64, padded.");
  }
  return { type: "image", mediaType, data };
}

function decodedBytes(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}
