const underWay = new Set<Promise<unknown>>();

/** For a request that stores what the person chose, until the server answered. */
export function whileChoosing<Answer>(answer: Promise<Answer>): Promise<Answer> {
  underWay.add(answer);
  const end = () => underWay.delete(answer);
  answer.then(end, end);
  return answer;
}

/**
 * The page shows a choice at once, so a message waits until all of them are stored or refused: it must not go to a model
 * or with a permission that the person has just changed.
 */
export async function choicesSettled(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}
