import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { GaugeWire } from "@/lib/chat/wire/context";
import { GaugeWarning, SpaceLeft } from "./gauge-bar";
import { gaugeView } from "./gauge-view";

const contextWindow = 8_000_000;

function gauge(usedTokens: number): GaugeWire {
  const parts = [{ source: "messages" as const, label: "Messages", tokens: usedTokens }];
  return {
    ...{ parts, usedTokens, contextWindow, isWindowAssumed: false, tokenScale: 1 },
    ...{ shortened: null, nextCost: null },
  };
}

test.each([
  [0.5, ""],
  [0.9, "filling up"],
  [0.97, "almost full"],
  [1.97, "larger than the context window"],
])("with %d of the context window used it warns: %s", (share, words) => {
  const view = gaugeView(gauge(share * contextWindow));
  const warning = renderToStaticMarkup(<GaugeWarning view={view} />);
  expect(warning).toContain(words);
  expect(warning.includes("almost full")).toBe(words === "almost full");
});

test.each([
  [25, "~160 more messages"],
  [4_000, "~1 more message<"],
  [1, "more than 1,000 messages"],
])(
  "after a summary that leaves messages of %d thousand tokens, space is left for %s",
  (thousands, words) => {
    const used = gauge(contextWindow / 2);
    const kept = { keptMessageCount: 2, keptTokens: thousands * 1_000 };
    const preview = { isWriting: false, range: null, ...kept };
    const line = renderToStaticMarkup(
      <SpaceLeft gauge={used} view={gaugeView(used)} preview={preview} />,
    );
    expect(line).toContain(words);
  },
);
