// A turn of model and tools as short as it can be written by hand: no checks, no limits, no stops; only the requests, the tool and the
// rows. The benchmarks compare the product with it.
import { newTurn, type TurnRecord, type TurnRequest } from "../../../src/core/state/record.ts";
import type { Message, ToolCall } from "../../../src/core/transcript/transcript.ts";
import { requestBody } from "../../../src/model/request-body.ts";
import type { ToolSchema } from "../../../src/toolkit/define/tool-cards.ts";
import type { ModelRequest } from "../../../src/turn/ports.ts";

/** The transcript that a request of the product carries: the question and the newest rounds. */
const CARRIED_ROWS = 60;
const SYSTEM = "Be brief.";
const QUESTION: Message = { role: "user", text: "Theo: go" };

/** How a floor asks its model. */
export type Ask = (request: ModelRequest) => Promise<{ text: string; calls: ToolCall[] }>;

/** Writes what the product writes for a turn, into its tables. */
export interface FloorRows {
  begin(): void;
  asking(iteration: number): void;
  said(iteration: number, text: string, calls: ToolCall[]): void;
  calling(iteration: number, call: ToolCall): void;
  done(call: ToolCall, result: string): void;
}

/** One turn. Resolves to the model's last words. */
export async function floorTurn(
  rows: FloorRows,
  ask: Ask,
  tools: readonly ToolSchema[],
  data: object,
): Promise<string> {
  rows.begin();
  const rounds: Message[] = [];
  for (let iteration = 0; ; iteration++) {
    rows.asking(iteration);
    const messages = [QUESTION, ...rounds.slice(2 - CARRIED_ROWS)];
    const said = await ask({ system: SYSTEM, messages, tools });
    const [call] = said.calls;
    if (!call) return said.text;
    rows.said(iteration, said.text, said.calls);
    rows.calling(iteration, call);
    JSON.parse(call.arguments);
    const result = JSON.stringify(data);
    rows.done(call, result);
    rounds.push({ role: "assistant", ...said }, { role: "tool", callId: call.id, text: result });
  }
}

/** The rows that the product writes for each step, in the product's tables. */
export function productRows(storage: DurableObjectStorage, request: TurnRequest): FloorRows {
  const { sql } = storage;
  const turn: TurnRecord = { ...newTurn(request, "running", 0, 0), instance: "i", epoch: 1 };
  let seq = 0;
  const saveTurn = (changed: Partial<TurnRecord>) =>
    sql.exec("UPDATE turns SET record = ? WHERE id = '1'", JSON.stringify({ ...turn, ...changed }));
  const addMessage = (role: string, text: string, calls: ToolCall[] | null) =>
    sql
      .exec<{ seq: number }>(
        "INSERT INTO messages (turn_id, role, text, details, calls) VALUES ('1', ?, ?, '', ?) RETURNING seq",
        role,
        text,
        calls && JSON.stringify(calls),
      )
      .one().seq;
  return {
    begin() {
      sql.exec("INSERT INTO turns VALUES ('1', 'running', 0, 0, ?)", JSON.stringify(turn));
      addMessage("user", "Theo: go", null);
    },
    asking: (iteration) => void saveTurn({ iteration }),
    said(iteration, text, calls) {
      seq = storage.transactionSync(() => {
        saveTurn({ iteration });
        return addMessage("assistant", text, calls);
      });
    },
    calling: (iteration, { name, id: callId }) =>
      void saveTurn({ iteration, currentToolCall: { name, callId, since: Date.now() } }),
    done: (call, result) =>
      void sql.exec(
        "INSERT INTO ledger VALUES (?, 0, '1', ?, ?, 0, 'i', ?, NULL)",
        seq,
        call.name,
        call.arguments,
        result,
      ),
  };
}

/** Two rows for each step: what the model said, and the result. */
export function twoRows({ sql }: DurableObjectStorage): FloorRows {
  const add = (role: string, text: string) => void sql.exec("INSERT INTO said (role, text) VALUES (?, ?)", role, text);
  return {
    begin() {
      sql.exec("CREATE TABLE said (seq INTEGER PRIMARY KEY, role TEXT, text TEXT)");
      add("user", "Theo: go");
    },
    asking() {},
    said: (_iteration, _text, calls) => add("assistant", JSON.stringify(calls)),
    calling() {},
    done: (_call, result) => add("tool", result),
  };
}

/** Reads one streamed answer by hand, completely. */
export const byHand =
  (baseUrl: string): Ask =>
  async (request) => {
    const body = JSON.stringify(requestBody("m", request));
    const headers = { "content-type": "application/json", authorization: "Bearer k" };
    const response = await fetch(`${baseUrl}/chat/completions`, { method: "POST", headers, body });
    const said = { text: "", calls: [] as ToolCall[] };
    for (const line of (await response.text()).split("\n")) {
      if (!line.startsWith("data: {")) continue;
      const delta = JSON.parse(line.slice("data: ".length)).choices[0]?.delta;
      said.text += delta?.content ?? "";
      for (const { id, function: called } of delta?.tool_calls ?? []) said.calls.push({ id, ...called });
    }
    return said;
  };
