import { SessionManager } from "grove-session";
import { assistant, ids, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";

onEveryStore((openStore) => {
  test("children of a session", async () => {
    const sessions = SessionManager.create(openStore())
      .withContext("memory", { description: "What this session found out" })
      .withContext("synthesis", { description: "What all of them come to" })
      .withContext("insight", { description: "What the others found out" });
    const { id } = await sessions.create("Plan a tea house");
    await sessions.append(id, user("q1", "What do we need?"));

    const tea = await sessions.spawn(id, "Which teas?", { context: "inherit" });
    const rent = await sessions.spawn(id, "What rent?", {
      blocks: { memory: "At most 900 a month." },
      firstMessage: "I look for rooms.",
    });
    const children = await sessions.children(id);

    expect(children.map(({ name }) => name).sort()).toEqual(["What rent?", "Which teas?"]);
    expect(ids(await sessions.getHistory(tea.id))).toEqual(["q1"]);
    expect((await sessions.getHistory(rent.id)).map(({ role }) => role)).toEqual(["assistant"]);

    await sessions.append(tea.id, assistant("a1", "Green and black."));
    await sessions.getSession(tea.id).memory.consolidate("memory", (known, history) => {
      const newest = String(history.at(-1)?.parts[0]?.text);
      return known ? `${known}\n${newest}` : newest;
    });

    const blocks = { memory: "memory", synthesis: "synthesis", insight: "insight" };
    await sessions.integrate(id, blocks, (found, before) => ({
      synthesis: [before, ...found.map(({ name, memory }) => `${name} ${memory}`)]
        .filter(Boolean)
        .sort()
        .join("\n"),
      insights: [{ sessionId: tea.id, content: "There are 900 a month for the rooms." }],
    }));
    const synthesis = await sessions.getSession(id).getContextBlock("synthesis");
    const insight = await sessions.getSession(tea.id).memory.take("insight");

    expect(synthesis?.content).toBe(
      "What rent? At most 900 a month.\nWhich teas? Green and black.",
    );
    expect(insight).toBe("There are 900 a month for the rooms.");
    expect(await sessions.getSession(tea.id).memory.take("insight")).toBeNull();
  });
});
