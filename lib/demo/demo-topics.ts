import { clip } from "@/lib/session";
import type { DemoCall } from "./demo-call";
import { endlessAnswer, longAnswer } from "./demo-long-answer";
import { suggestedName } from "./demo-names";
import { treesAndWater } from "./demo-trees";
import { chosen } from "./hash";
import { promptBlock } from "./prompt-block";

type Topic = { readonly asked: RegExp; readonly answer: (call: DemoCall) => string };

/** The body of an answer: the first topic a question touches, else what can be tried. */
export function topicAnswer(call: DemoCall): string {
  const topic = topics.find(({ asked }) => asked.test(call.question));
  return topic ? topic.answer(call) : suggestions(call);
}

const topics: readonly Topic[] = [
  { asked: /\bendless\b|\bwithout end\b/i, answer: ({ seed }) => endlessAnswer(seed) },
  { asked: /\blong\b|\bessay\b/i, answer: ({ seed }) => longAnswer(seed) },
  { asked: /\btrees?\b[\s\S]*\b(?:water|roots?)\b/i, answer: treesAndWater },
  {
    asked: /\b(?:suggest|propose|find|invent|think of|give me)\b[\s\S]*\bnames?\b/i,
    answer: suggestedName,
  },
  { asked: /\bwho am i\b|\bmy name\b|\bknow about me\b|\bremember about me\b/i, answer: memory },
  { asked: /\b(?:my|list|show).*\bto-?dos?\b|\bwhat.*\bto do\b/i, answer: todos },
  { asked: /\btable\b|\bcompare\b|\bdifference\b/i, answer: table },
  {
    asked: /\bcode\b|\bfunction\b|\bprogram\b|\bscript\b|\bsql\b|\bpython\b|\btypescript\b/i,
    answer: code,
  },
  {
    asked: /\bmath\b|\bformula\b|\bequation\b|\bintegral\b|\bpythagoras\b|\blatex\b/i,
    answer: math,
  },
  { asked: /\bbranch|\bfork|\bregenerate\b|\bedit\b|\btree\b/i, answer: branches },
  { asked: /\bcompact|\bsummar|\bcontext window\b|\btokens?\b/i, answer: compaction },
  { asked: /\bmemory\b|\bblocks?\b|\bskills?\b|\bknowledge\b/i, answer: blocks },
];

function memory({ system }: DemoCall): string {
  return recited(
    promptBlock(system, "memory"),
    "In my memory block I read:",
    "My memory block is empty. Tell me “my name is …” or “remember that …”, and I will write it down.",
  );
}

function todos({ system }: DemoCall): string {
  return recited(
    promptBlock(system, "todos"),
    "On your list I read:",
    "Your list is empty. Say “todo: …”, and I will put it there.",
  );
}

function recited(block: string | null, introduction: string, otherwise: string): string {
  if (!block) return otherwise;
  return `${introduction}\n\n${block}\n\nThe prompt is frozen for the length of a conversation; what was written since appears after a refresh.`;
}

function table(): string {
  return `| You do | What happens | What is kept |
| --- | --- | --- |
| edit a question | a second path leaves before it | both questions |
| regenerate an answer | a second answer stands beside it | both answers |
| fork | a new session starts at that message | both sessions |
| compact | a summary stands for old messages | every message |
| delete | the path closes over the gap | until you undo it, and after |`;
}

function code(): string {
  return `A path through a tree is the way from a leaf up to its root, turned around:

\`\`\`ts
function pathTo(leaf: string, parents: Map<string, string>): string[] {
  const path: string[] = [];
  for (let id: string | undefined = leaf; id; id = parents.get(id)) path.push(id);
  return path.reverse();
}
\`\`\`

It visits each message once, so it takes as long as the conversation is deep.`;
}

function math(): string {
  return `A tree with $b$ answers to every question has, after $n$ turns,

$$
1 + b + b^2 + \\dots + b^n = \\frac{b^{n+1} - 1}{b - 1}
$$

places to be. With $b = 2$ and $n = 10$ that is $2^{11} - 1 = 2047$, and you read only 11 of them at a time.`;
}

function branches(): string {
  return `To see branches grow:

1. Point at one of your questions and choose **edit**. Your new question stands beside the old one.
2. Under my answer choose **regenerate**. I answer again, differently.
3. The arrows \`‹ 1/2 ›\` walk between them; the tree drawer shows them all.
4. **Fork** starts a new session from any message and leaves this one as it is.`;
}

function compaction({ promptText }: DemoCall): string {
  return `My window holds only 8,000 tokens, on purpose: it fills within a few long answers. This prompt is about ${Math.ceil(promptText.length / 4).toLocaleString("en")} tokens.

- Ask for something **long** two or three times and watch the gauge.
- Then choose **compact now**: a summary takes the place of the oldest messages.
- The seam in the transcript opens the originals, and **undo** brings them back.`;
}

function blocks(): string {
  return `What I know comes from blocks you can open in the memory drawer:

- **memory** holds facts about you. Say *“remember that I prefer tea”*.
- **todos** belongs to this session. Say *“todo: water the plants”*.
- **knowledge** is searched. Say *“search my knowledge for …”*.
- **skills** wait until they are needed. Say *“load skill …”*, later *“unload it”*.`;
}

const things = [
  "**Tell me something**: “my name is …”, “remember that …”, “todo: …”",
  "**Find something**: “did we talk about …?”, “search for …”",
  "**Grow a branch**: edit your question, or regenerate this answer",
  "**See me format**: ask for a table, some code or a formula",
  "**Fill my window**: ask for something long, then compact",
  "**Stop me**: ask for an endless essay, and press the square",
  "**See me think**: ask me to think first",
  "**See me fail**: “simulate an error”, “simulate a rate limit”, “simulate a cut”",
  "**Use a skill**: “load skill …”, then “unload it”",
] as const;

function suggestions({ question, seed }: DemoCall): string {
  const picked = [0, 1, 2, 3].map((step) => `- ${chosen(things, seed + step)}`);
  const words = clip(question, 120);
  const heard =
    question === ""
      ? ""
      : `You said: “${words}”${/[.!?…]$/.test(words) ? "" : "."} I am a script and cannot think about it, but everything around me is real.\n\n`;
  return `${heard}Things to try here:\n\n${picked.join("\n")}`;
}
