/** Entry of `pod.js`: registers the element. */
import { define } from "./element.js";

define();
export { PartitionOnDisk } from "./element.js";
