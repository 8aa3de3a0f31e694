export { defineStorageSuite } from "./storage/index.js";
export type { StorageStage, StorageSuiteOptions, SuiteAssert } from "./storage/index.js";
