/** Hands bytes to the browser as a file to save. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read by then; without this the bytes would stay for as long as the page does.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
