// A model that calls the one tool it is told to and then says that it is done, in the dialects of two vendors: agents do not
// call a tool without a model, and none is reached from here.
import { once } from 'node:events';
import http from 'node:http';

export async function startModel() {
  const model = new Model();
  await model.listen();
  return model;
}

class Model {
  #server = http.createServer((request, response) => this.#answer(request, response));

  /** What it calls next: {name, args}, with the name that the agent gives the tool. */
  wants = null;
  /** Names of the tools that it was offered last, as the agent calls them. */
  offered = [];

  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
  }

  async #answer(request, response) {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    if (request.url.startsWith('/v1/messages')) return this.#anthropic(JSON.parse(text), response);
    if (request.url.startsWith('/v1/chat/completions')) return this.#openAI(JSON.parse(text), response);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  }

  /** The call to make, if it was not made already. Without any tool on offer a title is asked for, or the like. */
  #next(names, made) {
    if (names.length === 0) return null;
    this.offered = names;
    return made ? null : this.wants;
  }

  #anthropic({ model, messages, tools = [] }, response) {
    const call = this.#next(tools.map(({ name }) => name), JSON.stringify(messages).includes('"tool_result"'));
    const block = call ? { type: 'tool_use', id: 'toolu_1', name: call.name, input: {} } : { type: 'text', text: '' };
    const delta = call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) } : { type: 'text_delta', text: 'done' };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage };
    response.setHeader('content-type', 'text/event-stream');
    for (const event of [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }

  #openAI({ model, messages, tools = [] }, response) {
    const call = this.#next(tools.map((tool) => tool.function.name), messages.some(({ role }) => role === 'tool'));
    const named = call && { name: call.name, arguments: JSON.stringify(call.args) };
    const delta = call
      ? { role: 'assistant', tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: named }] }
      : { role: 'assistant', content: 'done' };
    response.setHeader('content-type', 'text/event-stream');
    for (const choice of [
      { index: 0, delta, finish_reason: null },
      { index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' },
    ]) {
      response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model, choices: [choice] })}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
