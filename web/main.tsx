import { render } from "preact";
import { App } from "./app/app.js";
import { listenToKeys } from "./app/keyboard.js";
import { createViewer } from "./app/viewer.js";

const root = document.getElementById("page");
if (root !== null) {
  const viewer = createViewer(window);
  listenToKeys(document, viewer, new AbortController().signal);
  render(<App viewer={viewer} />, root);
}
