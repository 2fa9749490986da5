import { describeSessionProvider } from "@/lib/session/testing";
import { InMemorySessionProvider } from "./in-memory-session-provider";

describeSessionProvider("InMemorySessionProvider", () => new InMemorySessionProvider(), {
  longPath: 50_000,
});
