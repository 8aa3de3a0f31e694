/** The part of fs-native-extensions 1.5.1 that is used here; the package has no types of its own. */
declare module "fs-native-extensions" {
  /** Takes the exclusive open-file-description lock of a whole file, or gives `false` where another holds it. */
  export function tryLock(descriptor: number): boolean;
}
