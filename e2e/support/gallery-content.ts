import { type APIRequestContext, request } from "@playwright/test";
import { makeSession, store } from "./api";
import { makeFileSession } from "./gallery-files";

/** Sessions that screens are looked at with, by id. */
export interface GalleryContent {
  readonly odd: string;
  readonly files: string;
  readonly siblings: string;
  readonly siblingLeaves: { readonly left: string; readonly right: string };
}

const longWord = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel".repeat(6);

const oddTexts = [
  longWord,
  "מה שלום הגינה שלי? هل تنمو الطماطم في الشمس؟ And back to English.",
  "🌱🌿🌳👩‍🌾👨‍👩‍👧‍👦🏳️‍🌈 ".repeat(30),
  "A question of many lines.\n".repeat(40),
  `<script>alert("no")</script> <b>not bold</b> & "quotes" — \u0007 \u202Eturned around`,
];

/** Fills a Grove with what screens are hard to show with: 200 sessions, 50 versions of a message, odd texts, files. */
export async function fillGallery(baseURL: string): Promise<GalleryContent> {
  const api = await request.newContext({ baseURL });
  const siblings = await makeSession(api, "Fifty ways to say the same thing");
  const { entry } = await store(api, siblings, "How shall we put it?");
  const leaves: string[] = [];
  for (let n = 1; n <= 50; n++) {
    leaves.push(await version(api, siblings, { parentId: entry.message.id, n }));
  }
  const odd = await makeSession(api, `A title that goes on: ${longWord}`.slice(0, 200));
  for (const text of oddTexts) await store(api, odd, text);
  for (let n = 1; n <= 197; n++) await makeSession(api, `Session ${n} about ${topics[n % 5]}`);
  const files = await makeFileSession(api);
  await api.dispose();
  const [left = "", right = ""] = leaves;
  return { odd, files, siblings, siblingLeaves: { left, right } };
}

const topics = ["tomatoes", "a train to the sea", "the taxes of 2025", "שלום", "🌱 and 🌳"];

async function version(
  api: APIRequestContext,
  sessionId: string,
  { parentId, n }: { parentId: string; n: number },
): Promise<string> {
  const place = { id: crypto.randomUUID(), parentId };
  const text = `Version ${n}: we could say it with ${n} words, or with fewer when nobody listens.`;
  const stored = await store(api, sessionId, text, place);
  return stored.entry.message.id;
}
