const paragraphs = [
  "A conversation is rarely a straight line. You ask something, the answer goes one way, and halfway through you notice that you meant another. In most chats you now have a choice between two losses: you edit the question and the old answer is gone, or you go on and carry the wrong turn with you for the rest of the day. A tree has neither problem. The old answer stays where it was, and the new one grows beside it.",
  "Think of each message as a place from which paths can leave. The path you are reading is only one of them. When you edit a question, a second path leaves just before it; when you ask for another answer, a second path leaves just after it. The arrows under a message take you from one to the next, and the tree drawer shows all of them at once, so that a good idea from an hour ago is a click away instead of a memory.",
  "What all paths share, they share for real. Nothing is copied when you branch, and nothing is copied when you fork a session: the beginning exists once, however many endings it has. That is why a fork of a very long conversation appears at once, and why an old summary, a search hit or a link to a message means the same thing wherever you meet it.",
  "A model reads only so much at a time. The gauge below shows how full its window is. When the window fills, the oldest part can be compacted: a summary takes its place in what the model reads, while the messages themselves stay where they are. The seam in the transcript tells you which messages a summary stands for; you can open them, change the wording, or take the summary away again.",
  "Memory is a document, not a mystery. What an assistant knows about you stands in a block that you can open, correct or empty. When the model writes to it, you see the line it wrote and can undo it. Some blocks follow you everywhere, such as facts about you; others, such as a list of things to do, belong to one conversation and end with it.",
  "Not everything has to be remembered at all times. A skill is a document that waits until it is needed: the model sees its name and a sentence about it, loads it when a question calls for it, and gives the room back afterwards. Knowledge is a larger collection that is searched instead of loaded, so that a whole shelf of notes costs nothing until one of them matters.",
  "Old conversations are worth something only when you can find them. Search looks through everything you have said and everything that was answered, in every session and on every branch, and it opens the very place it found, even if that place lies on a path you left long ago or underneath a summary. Quotation marks find a phrase, and a minus sign leaves a word out.",
  "You can always see what the model saw. Each answer keeps a receipt: the messages it was given, the summary that stood in for older ones, the version of every block, the skills that were loaded, the number of tokens and what they cost. When an answer surprises you, the receipt usually tells you why, and it does so without guessing.",
  "Things go wrong, and they should go wrong politely. A connection breaks, a key expires, a provider has too much to do. What had arrived by then is kept, the place where it happened says so in a sentence, and trying again is one click. Closing the page does not stop an answer, because the answer belongs to the server; you can come back to it, or watch it from a second window.",
  "All of this lives on your own machine unless you decide otherwise. There is one database, and you can copy it, move it or take it away. The only thing that leaves is what you send to a provider of your choice, and with a model that runs beside it nothing leaves at all. That makes it a good place for half-finished thoughts, which is where most good ones begin.",
  "So try it in the order that pleases you. Ask for something short and ask again. Change a question and walk back. Tell me your name, look at what was written, and undo it. Let a conversation grow until its window is full, then compact it and look at the seam. I am only a script, but everything around me is real.",
] as const;

const rounds = 12;

/** About eight hundred words, starting elsewhere for each seed. */
export function longAnswer(seed: number): string {
  return ["## A long walk through a tree of conversations", ...walk(seed)].join("\n\n");
}

/** About ten thousand words: nobody waits for its end, which leaves all the time to stop it. */
export function endlessAnswer(seed: number): string {
  const walks = Array.from({ length: rounds }, (_, round) => walk(seed + round));
  return ["## A walk without end", ...walks.flat()].join("\n\n");
}

function walk(seed: number): string[] {
  const start = seed % paragraphs.length;
  return [...paragraphs.slice(start), ...paragraphs.slice(0, start)];
}
