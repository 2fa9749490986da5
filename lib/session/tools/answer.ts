import { messageOf } from "@/lib/session/context/call-provider";

/** Returns failures as text, since a thrown one would end the run. */
export async function answer(say: () => Promise<string>): Promise<string> {
  try {
    return await say();
  } catch (error) {
    return `Error: ${messageOf(error)}`;
  }
}
