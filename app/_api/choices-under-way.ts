const underWay = new Set<Promise<unknown>>();

export function whileChoosing<Answer>(answer: Promise<Answer>): Promise<Answer> {
  underWay.add(answer);
  const end = () => underWay.delete(answer);
  answer.then(end, end);
  return answer;
}

/** A message must not go to the model chosen before the one that the page shows. */
export async function choicesSettled(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}
