export { default } from "@/app/s/[sessionId]/not-found";
