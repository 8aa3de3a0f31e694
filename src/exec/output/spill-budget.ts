/** What several spill files may hold together. */
export interface SpillBudget {
  /** Takes so many bytes, or what is left of them where that is less. */
  take(bytes: number): Promise<number>;
}
