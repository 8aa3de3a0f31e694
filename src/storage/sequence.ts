/** One opening's share of the sequence numbers; 2^21 openings stay exact in a double. */
export const EPOCH_SIZE = 2 ** 32;
