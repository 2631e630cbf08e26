// Modules that the program reads when they are first used. That takes real time, which a test's clock does not wait for.
import "../../durable-objects/operations/open-thread.ts";
import "../../durable-objects/operations/thought-log.ts";
import "../../durable-objects/scope-calls/tell-owners.ts";
import "../../durable-objects/replies/asker-ping.ts";
import "../../durable-objects/replies/removal.ts";
import "../../src/discord/rest/channel-access.ts";
import "../../src/discord/rest/find-response.ts";
import "../../src/model/make-picture.ts";
import "../../src/model/transcribe.ts";
import "../../src/tools/web/secure-fetch.ts";
import "../../src/turn/sounds.ts";
