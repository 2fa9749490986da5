import { estimateStringTokens } from "grove-session";
import { clip } from "@/lib/text/clip";
import { chosen, type DemoCall, promptBlock } from "./demo-call";

type Topic = { readonly asked: RegExp; readonly answer: (call: DemoCall) => string };

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
| branch in new chat | a new chat starts at that message | both chats |
| summarize | a summary replaces old messages for the model | every message |
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
4. **Branch in new chat** starts one from any message and leaves this one as it is.`;
}

function compaction({ promptText }: DemoCall): string {
  return `My window holds only 8,000 tokens, on purpose: it fills within a few long answers. This prompt is about ${estimateStringTokens(promptText).toLocaleString("en")} tokens.

- Ask for something **long** two or three times and watch the gauge.
- Then choose **Summarize** in Context: a summary takes the place of the oldest messages.
- The summary in the transcript opens the originals, and **undo** brings them back.`;
}

function blocks(): string {
  return `What I know comes from blocks you can open in the memory drawer:

- **About you** holds facts. Say *“remember that I prefer tea”*.
- **Tasks** belong to this chat. Say *“todo: water the plants”*.
- **Knowledge** is searched. Say *“search my knowledge for …”*.
- **Skills** wait until they are needed. Say *“load skill …”*, later *“unload it”*.`;
}

const things = [
  "**Tell me something**: “my name is …”, “remember that …”, “todo: …”",
  "**Find something**: “did we talk about …?”, “search for …”",
  "**Grow a branch**: edit your question, or regenerate this answer",
  "**See me format**: ask for a table, some code or a formula",
  "**Fill my window**: ask for something long, then summarize",
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

const bakeries = [
  "**Crumb & Ember**: a loaf and the oven it came from.",
  "**The Early Loaf**: it says when the baker gets up, and what you get for it.",
  "**Rye & Shine**: cheerful, short, and easy to spell on the phone.",
  "**Second Rise**: what a good dough does, and a promise not to hurry it.",
  "**Small Batch**: honest about the size, and proud of it.",
  "**Flour Street**: sounds as if it had always been there.",
  "**Salt & Seed**: the two things on top of the best rolls.",
] as const;

const anything = [
  "**Juniper**: short, friendly, and easy to say in many languages.",
  "**North Window**: calm, with good light.",
  "**Tally**: brisk, and it fits on a small sign.",
  "**Hazel & Co.**: modest, and it can grow.",
  "**Lantern**: people remember what they can picture.",
  "**Fieldnote**: curious and a little old-fashioned.",
  "**Morrow**: looks ahead without promising too much.",
] as const;

function suggestedName({ question, seed }: DemoCall): string {
  const names = /\bbaker(?:y|ies)\b/i.test(question) ? bakeries : anything;
  return `${chosen(names, seed)}

Answer again under this message, and I suggest another one. Both stay: the arrows walk between them, and **Compare** puts them side by side.`;
}

function treesAndWater(): string {
  return `A tree drinks through the finest of its roots, and it seldom drinks alone. Three things move water from one tree to another:

1. **Hydraulic lift.** At night deep roots draw up water, and some of it seeps out of the shallow roots into the dry soil above. In the morning it is there for the tree itself and for whatever grows beside it.
2. **Fungal threads.** Most trees live with fungi whose threads reach where no root fits. The fungus takes sugar and gives water and minerals; one fungus may be joined to several trees. How much water crosses from tree to tree in this way is still being argued about.
3. **Grafted roots.** Where roots of one kind press against each other for years they can grow together. Even a stump may live on like this, fed by its neighbours.

| Way | Who takes part | How sure we are |
| --- | --- | --- |
| Hydraulic lift | deep roots and their neighbours | well measured |
| Fungal threads | trees and fungi of many kinds | how much is open |
| Root grafts | mostly trees of one kind | often seen |

What they have in common is that water goes from wet to dry. A small model shows how two soils become alike:

\`\`\`ts
/** Each hour a tenth of the difference seeps to the drier place. */
function share(deep: number, shallow: number, hours: number): [number, number] {
  for (let hour = 0; hour < hours; hour++) {
    const moved = (deep - shallow) * 0.1;
    deep -= moved;
    shallow += moved;
  }
  return [deep, shallow];
}

share(40, 10, 8); // about [27.5, 22.5] after one night
\`\`\`

So “sharing” is a kind word for it: nobody decides anything, the gradient does. The neighbours are better off all the same.`;
}

const paragraphs = [
  "A conversation is rarely a straight line. You ask something, the answer goes one way, and halfway through you notice that you meant another. In most chats you now have a choice between two losses: you edit the question and the old answer is gone, or you go on and carry the wrong turn with you for the rest of the day. A tree has neither problem. The old answer stays where it was, and the new one grows beside it.",
  "Think of each message as a place from which paths can leave. The path you are reading is only one of them. When you edit a question, a second path leaves just before it; when you ask for another answer, a second path leaves just after it. The arrows under a message take you from one to the next, and the tree drawer shows all of them at once, so that a good idea from an hour ago is a click away instead of a memory.",
  "What all paths share, they share for real. Nothing is copied when you branch, and nothing is copied when you fork a chat: the beginning exists once, however many endings it has. That is why a fork of a very long conversation appears at once, and why an old summary, a search hit or a link to a message means the same thing wherever you meet it.",
  "A model reads only so much at a time. The gauge below shows how full its window is. When the window fills, the oldest part can be summarized: a summary takes its place in what the model reads, while the messages themselves stay where they are. The summary in the transcript tells you which messages it covers; you can open them, change the wording, or take the summary away again.",
  "Memory is a document, not a mystery. What an assistant knows about you stands in a block that you can open, correct or empty. When the model writes to it, you see the line it wrote and can undo it. Some blocks follow you everywhere, such as facts about you; others, such as a list of things to do, belong to one conversation and end with it.",
  "Not everything has to be remembered at all times. A skill is a document that waits until it is needed: the model sees its name and a sentence about it, loads it when a question calls for it, and gives the room back afterwards. Knowledge is a larger collection that is searched instead of loaded, so that a whole shelf of notes costs nothing until one of them matters.",
  "Old conversations are worth something only when you can find them. Search looks through everything you have said and everything that was answered, in every chat and on every branch, and it opens the very place it found, even if that place lies on a path you left long ago or underneath a summary. Quotation marks find a phrase, and a minus sign leaves a word out.",
  "You can always see what the model saw. Each answer keeps a receipt: the messages it was given, the summary that stood in for older ones, the version of every block, the skills that were loaded, the number of tokens and what they cost. When an answer surprises you, the receipt usually tells you why, and it does so without guessing.",
  "Things go wrong, and they should go wrong politely. A connection breaks, a key expires, a provider has too much to do. What had arrived by then is kept, the place where it happened says so in a sentence, and trying again is one click. Closing the page does not stop an answer, because the answer belongs to the server; you can come back to it, or watch it from a second window.",
  "All of this lives on your own machine unless you decide otherwise. There is one database, and you can copy it, move it or take it away. The only thing that leaves is what you send to a provider of your choice, and with a model that runs beside it nothing leaves at all. That makes it a good place for half-finished thoughts, which is where most good ones begin.",
  "So try it in the order that pleases you. Ask for something short and ask again. Change a question and walk back. Tell me your name, look at what was written, and undo it. Let a conversation grow until its window is full, then summarize it and look at the summary. I am only a script, but everything around me is real.",
] as const;

const rounds = 12;

function longAnswer(seed: number): string {
  return ["## A long walk through a tree of conversations", ...walk(seed)].join("\n\n");
}

function endlessAnswer(seed: number): string {
  const walks = Array.from({ length: rounds }, (_, round) => walk(seed + round));
  return ["## A walk without end", ...walks.flat()].join("\n\n");
}

function walk(seed: number): string[] {
  const start = seed % paragraphs.length;
  return [...paragraphs.slice(start), ...paragraphs.slice(0, start)];
}
