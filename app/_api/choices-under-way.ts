const underWay = new Set<Promise<unknown>>();

export function whileChoosing<Answer>(answer: Promise<Answer>): Promise<Answer> {
  underWay.add(answer);
  const end = () => underWay.delete(answer);
  answer.then(end, end);
  return answer;
}

/** The page shows choices before they are stored, and a message must not go to the model that was chosen before. */
export async function choicesSettled(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}
