import { Memory } from "@/lib/chat/memory/memory";
import { type RouteContext, textIn } from "./route";

/** The memory a request is about: that of the session its query names, or what all of them share. */
export function memoryOf({ owner, query }: Pick<RouteContext<unknown>, "owner" | "query">): Memory {
  return new Memory(owner, textIn(query, "session") ?? null);
}
