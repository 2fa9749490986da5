import { type APIRequestContext, expect } from "@playwright/test";
import type { ModelsWire } from "@/lib/chat/wire/settings";
import { makeSession, store } from "./api";
import { makeFileSession } from "./gallery-files";
import { importAnswer } from "./import-answer";
import { thinkingModel } from "./many-models";

/** Sessions that screens are looked at with, by id. */
export interface GalleryContent {
  readonly odd: string;
  readonly files: string;
  readonly siblings: string;
  readonly siblingLeaves: { readonly left: string; readonly right: string };
  readonly formats: string;
  readonly together: string;
  readonly project: string;
}

const longWord = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel".repeat(6);

const oddTexts = [
  longWord,
  "מה שלום הגינה שלי? هل تنمو الطماطم في الشمس؟ And back to English.",
  "🌱🌿🌳👩‍🌾👨‍👩‍👧‍👦🏳️‍🌈 ".repeat(30),
  "A question of many lines.\n".repeat(40),
  `<script>alert("no")</script> <b>not bold</b> & "quotes" — \u0007 \u202Eturned around`,
];

const formats = `# A heading of an answer

Water boils at **100 °C**, written H<sub>2</sub>O, and 10<sup>2</sup> is a hundred. Press <kbd>Ctrl</kbd> <kbd>K</kbd>.<br>A line of its own.

<details><summary>More about it</summary>It was folded.</details>

| Kettle | Price | Holds | Remark |
|---|--:|--:|---|
| Blue | $1,200.50 | 1.5 l | ${"Rather heavy, and loved for it. ".repeat(4)}|
| Green | $9 | 0.4 l | |

$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$

\`\`\`mermaid
graph LR
  Seed --> Sprout --> Tree
\`\`\`

\`\`\`html
<h1>Hello</h1><button>Press</button>
\`\`\`

\`\`\`ts
export const kettle = { isBlue: true, litres: 1.5, remark: "a line of code that is far too long for the width of a phone" };
\`\`\`

- שלום, זה סעיף
- وهذا آخر

> A quote of somebody who knew.
`;

/**
 * Fills a Grove with what screens are hard to show with: 200 sessions, 50 versions of a message, odd texts, files,
 * and the models at `modelsUrl`.
 */
export async function fillGallery(
  api: APIRequestContext,
  modelsUrl: string,
  sessionCount = 197,
): Promise<GalleryContent> {
  const together = await askTogether(api, modelsUrl);
  const siblings = await makeSession(api, "Fifty ways to say the same thing");
  const { entry } = await store(api, siblings, "How shall we put it?");
  const leaves: string[] = [];
  for (let n = 1; n <= 50; n++) {
    leaves.push(await version(api, siblings, { parentId: entry.message.id, n }));
  }
  const fork = { messageId: entry.message.id, title: "Said elsewhere" };
  await expect(await api.post(`/api/sessions/${siblings}/fork`, { data: fork })).toBeOK();
  const odd = await makeSession(api, `A title that goes on: ${longWord}`.slice(0, 200));
  for (const text of oddTexts) await store(api, odd, text);
  for (let n = 1; n <= sessionCount; n++)
    await makeSession(api, `Session ${n} about ${topics[n % 5]}`);
  const files = await makeFileSession(api);
  const formatted = await importAnswer(api, formats);
  await fillSettings(api);
  const project = `p-${crypto.randomUUID()}`;
  await api.post("/api/projects", { data: { id: project, name: "Tea shop" } });
  const [left = "", right = ""] = leaves;
  return {
    odd,
    files,
    siblings,
    siblingLeaves: { left, right },
    formats: formatted,
    together,
    project,
  };
}

const asked = ["house/gpt-1", "house/gpt-2", "house/gpt-3", thinkingModel];

/** A chat whose question several models answered. */
async function askTogether(api: APIRequestContext, modelsUrl: string): Promise<string> {
  const provider = "gallery-house";
  await api.put(`/api/settings/providers/${provider}`, {
    data: { provider: "compatible", name: "House", baseUrl: modelsUrl, apiKey: "none" },
  });
  const { models }: ModelsWire = await (await api.get("/api/models")).json();
  const together = asked.map((id) => ({
    model: models.find(({ ref }) => ref.endsWith(id))?.ref ?? id,
    answerId: crypto.randomUUID(),
  }));
  // The first screen says that the demo answers.
  const defaultModel = models.find(({ isDemo }) => isDemo)?.ref ?? null;
  await api.patch("/api/settings", { data: { defaultModel } });
  const sessionId = await makeSession(api, "One question, four answers");
  await api.post(`/api/sessions/${sessionId}/messages`, {
    data: {
      id: crypto.randomUUID(),
      parts: [{ type: "text", text: "What is a kettle?" }],
      together,
    },
  });
  return sessionId;
}

/** Fills lists of the settings. */
async function fillSettings(api: APIRequestContext): Promise<void> {
  await api.put("/api/prompts/gallery-letter", {
    data: { name: "letter", text: "Write a letter to {{whom}} about {{subject}}." },
  });
  const deleted = await makeSession(api, "Deleted by mistake");
  const headers = { "Content-Type": "application/json" };
  await expect(await api.delete(`/api/sessions/${deleted}`, { headers })).toBeOK();
  const note = { title: "Kettle", content: "The blue kettle is rather heavy." };
  await expect(await api.post("/api/blocks/knowledge/entries", { data: note })).toBeOK();
  const key = { name: "Robot", canWrite: true, usesMemory: false, models: null, monthlyLimit: 5 };
  await expect(await api.post("/api/keys", { data: key })).toBeOK();
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
