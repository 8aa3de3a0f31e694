/** Whether two neighbouring code units are one character, so that a cut between them would leave halves. */
export function isPair(before: number, after: number): boolean {
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
