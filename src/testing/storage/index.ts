export { defineStorageSuite } from "./suite.js";
export type { StorageStage, StorageSuiteOptions, SuiteAssert } from "./stage.js";
