import type { Viewer } from "./viewer.js";
import { Help } from "./help.js";
import { SignIn } from "./sign-in.js";
import { Stage } from "./stage.js";
import { SessionList } from "../sessions/session-list.js";

/** The whole page: the way in, or the sessions beside the one that is shown. */
export function App({ viewer }: { readonly viewer: Viewer }) {
  if (viewer.access.value === undefined) return <SignIn viewer={viewer} />;
  const hasSelection = viewer.selection.value.kind !== "none";
  return (
    <div class={hasSelection ? "app has-selection" : "app"}>
      <SessionList viewer={viewer} />
      <Stage viewer={viewer} />
      <Help isOpen={viewer.isHelpOpen} />
    </div>
  );
}
