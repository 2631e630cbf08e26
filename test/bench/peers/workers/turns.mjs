// What the Workers of all peers share: the route that runs one turn in an object of its own, and the tool with its 2 KB. Plain JavaScript,
// because the peers are not in the lock file and the compiler doesn't see them.

/** The tool's result, the same as everyone's. */
export const RESULT = { pages: "x".repeat(2000) };
export const LOOK_UP = "Looks a page up.";
export const SYSTEM = "Be brief.";
export const PARAMETERS = {
  type: "object",
  properties: { page: { type: "string" } },
  required: ["page"],
  additionalProperties: false,
};
/** Never answers: a death finds it under way. */
export const wait = () => new Promise(() => {});
/** More steps than any turn has. */
export const MANY_STEPS = 1000;

/** Serves `GET /turn`, each in an object of its own, which has `turn()`. */
export const serveTurns = (stubOf = async (namespace) => namespace.getByName(crypto.randomUUID())) => ({
  async fetch(_request, env) {
    const stub = await stubOf(env.TURNS);
    return new Response(await stub.turn());
  },
});
