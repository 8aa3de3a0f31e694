import type { ShellOutputLimits } from "../exec/index.js";
import { createBashTool } from "./bash.js";
import type { AgentHarnessTool } from "./contract.js";
import { createEditTool } from "./edit.js";
import { FileTurns } from "./files/file-turns.js";
import { createFindTool } from "./find.js";
import { createGrepTool } from "./grep.js";
import { createLsTool } from "./ls.js";
import { createReadTool } from "./read.js";
import { SearchPrograms } from "./search/programs.js";
import { createWriteTool } from "./write.js";

export interface BuiltInToolsOptions {
  /** What bounds the text of a call of each; the defaults where unset. Only bash goes by `retain`, the others keep the start. */
  readonly output?: ShellOutputLimits | undefined;
}

/** All tools that come with spillway. Changes of one file wait for each other, and an env is asked once for its programs. */
export function createBuiltInTools(options: BuiltInToolsOptions = {}): readonly AgentHarnessTool[] {
  const { output } = options;
  const caps = { maxBytes: output?.maxBytes, maxLines: output?.maxLines };
  const turns = new FileTurns();
  const programs = new SearchPrograms();
  return [
    createBashTool({ output }),
    createReadTool({ output: caps }),
    createWriteTool({ turns }),
    createEditTool({ output: caps, turns }),
    createGrepTool({ output: caps, programs }),
    createFindTool({ output: caps, programs }),
    createLsTool({ output: caps }),
  ];
}
