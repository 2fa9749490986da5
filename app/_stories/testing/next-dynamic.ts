export { dynamic as default } from "./navigation";
