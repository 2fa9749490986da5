export { Link as default } from "./navigation";
