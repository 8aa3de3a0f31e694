export type {
  EncodedMessage,
  Facet,
  FacetCounters,
  FacetHost,
  FacetSubscriber,
  FacetSubscription,
} from "./contract.js";
