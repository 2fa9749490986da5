export { default, generateMetadata } from "@/app/s/[sessionId]/compare/page";
