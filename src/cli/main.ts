#!/usr/bin/env node
import { contextOf } from "./context.js";
import { runCli } from "./program.js";

process.exitCode = await runCli(contextOf(process));
