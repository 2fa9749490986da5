import { expect, test } from "vitest";
import { onEveryStore } from "@/docs/examples/every-store";
import {
  createMainSession,
  createSession,
  GroveStorage,
  InMemoryStorageAdapter,
  loadMainSession,
  type MainStorage,
  MemoryChangedError,
  NotImplementedError,
} from ".";
import { errorsOf, meetingOf } from "./testing/at-once";
import { documentedMethods } from "./testing/documented-methods";
import { scripted, texts } from "./testing/scripted-model";

onEveryStore((openStore) => {
  const openStorage = () => new GroveStorage(openStore());

  test("integrates the memories of active sessions", async () => {
    const storage = openStorage();
    const main = await createMainSession({ storage, llm: scripted("Yes."), label: "All" });
    const [tea, rent, quiet, old] = await Promise.all(
      ["Tea", "Rent", "Quiet", "Old"].map((label) => createSession({ storage, label })),
    );
    for (const session of [tea, rent, old])
      await session?.consolidate(async () => `${session.meta.label} is known.`);
    await old?.archive();

    await main.integrate(async (children, before) => ({
      synthesis: `${before} ${children.map(({ l2 }) => l2).sort()}`,
      insights: children.map(({ sessionId, label }) => ({ sessionId, content: `Of ${label}` })),
    }));

    expect(await main.synthesis()).toBe("null Rent is known.,Tea is known.");
    expect(await tea?.insight()).toBe("Of Tea");
    expect(await quiet?.insight()).toBeNull();
    expect(await (await loadMainSession(main.meta.id, { storage }))?.synthesis()).toBe(
      await main.synthesis(),
    );
  });

  test("sends the synthesis with every message of a main session", async () => {
    const llm = scripted("a", "b");
    const main = await createMainSession({ storage: openStorage(), llm, systemPrompt: "Guide." });
    await main.integrate(async () => ({ synthesis: "All is well.", insights: [] }));
    await main.send("one");
    await main.send("two");
    for (const context of llm.contexts) {
      expect(texts(context).slice(0, 2)).toEqual([
        ["system", "Guide."],
        ["system", "All is well."],
      ]);
    }
  });

  test("integrates by its own function, and leaves out insights to unknown sessions", async () => {
    const storage = openStorage();
    const tea = await createSession({ storage, id: "tea" });
    await tea.consolidate(async () => "Tea.");
    const hi = { sessionId: "tea", content: "Hi." };
    const main = await createMainSession({
      storage,
      integrateFn: async () => ({
        synthesis: "All.",
        insights: [hi, { sessionId: "unknown", content: "Hi." }],
      }),
    });
    expect(await main.integrate()).toEqual({ synthesis: "All.", insights: [hi] });
    expect(await tea.insight()).toBe("Hi.");
    const twice = main.integrate(async () => ({ synthesis: "Twice.", insights: [hi, hi] }));
    await expect(twice).rejects.toThrow("two insights");
    expect(await main.synthesis()).toBe("All.");
    const without = await createMainSession({ storage });
    await expect(without.integrate()).rejects.toThrow("No integrateFn");
  });

  test("forks into a session", async () => {
    const main = await createMainSession({ storage: openStorage(), llm: scripted("Hello.") });
    await main.send("Hi.");
    const child = await main.fork({ label: "Tea", context: "inherit" });
    expect(child.meta.role).toBe("standard");
    expect(texts(await child.messages())).toEqual(texts(await main.messages()));
  });

  test("lets one of two concurrent integrations succeed", async () => {
    const storage = openStorage();
    const main = await createMainSession({ storage });
    const slower = main.integrate(async () => {
      await main.integrate(async () => ({ synthesis: "faster", insights: [] }));
      return { synthesis: "slower", insights: [] };
    });
    await expect(slower).rejects.toThrow(MemoryChangedError);
    expect(await main.synthesis()).toBe("faster");
  });

  test("refuses all but one of the integrations that end at once", async () => {
    const main = await createMainSession({ storage: openStorage() });
    const together = meetingOf(3);
    const outcomes = await Promise.allSettled(
      ["a", "b", "c"].map((synthesis) =>
        main.integrate(() => together({ synthesis, insights: [] })),
      ),
    );
    expect(errorsOf(outcomes)).toEqual([
      expect.any(MemoryChangedError),
      expect.any(MemoryChangedError),
    ]);
  });
});

test("refuses to integrate on a storage that cannot list memories", async () => {
  const storage = documentedMethods(new InMemoryStorageAdapter()) as MainStorage;
  const main = await createMainSession({ storage });
  const integrating = main.integrate(async () => ({ synthesis: "All.", insights: [] }));
  await expect(integrating).rejects.toThrow(new NotImplementedError("getAllSessionL2s"));
});
