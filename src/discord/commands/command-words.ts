// The names and descriptions of the commands in other languages. Discord shows the English default for anything that is missing
// here: a whole path, or one field of an entry.

/**
 * The words of one command, subcommand or option. A name is lower case, without spaces and at most 32 characters long (Discord).
 */
export interface Words {
  name?: string;
  description?: string;
}

/** Discord's locale → path → words. The path of an option begins with its command's: `chat message`. */
export const words: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  de: {
    chat: { description: "Frag Parley etwas" },
    "chat message": { name: "nachricht", description: "Was du sagen möchtest" },
    "chat file": { name: "datei", description: "Ein Bild oder eine Textdatei" },
    "chat persona": { description: "Wer antworten soll" },
    scene: { name: "szene", description: "Lass mehrere Personas nacheinander sprechen" },
    "scene personas": { description: "Wer spricht, der Reihe nach, mit Kommas dazwischen" },
    "scene prompt": { name: "thema", description: "Worüber sie sprechen" },
    "ask-long": { name: "lange-frage", description: "Frag etwas Langes: viele Zeilen und Dateien" },
    stop: { name: "stopp", description: "Beende die laufende Antwort; was gesagt wurde, bleibt" },
    bot: { description: "Was Parley hier tut" },
    "bot kill": { name: "abbruch", description: "Brich die laufende Antwort ab und leere die Warteschlange" },
    "bot status": { description: "Zeig, was läuft und wer wartet" },
    "bot usage": { name: "verbrauch", description: "Zeig, was du und dieser Kanal heute verbraucht habt" },
    "bot reset": { name: "vergessen", description: "Vergiss das Gespräch dieses Kanals" },
    "bot trace": { name: "ablauf", description: "Zeig Schritt für Schritt, was in einer Antwort geschah" },
    "bot trace turn": { name: "antwort", description: "Welche; ohne Angabe die letzte" },
    persona: { description: "Die Personas dieses Kanals" },
    "persona create": { name: "anlegen", description: "Leg eine Persona an" },
    "persona create name": { description: "Ihr Name" },
    "persona create prompt": { name: "wesen", description: "Wer sie ist und wie sie spricht" },
    "persona create avatar": { name: "bild", description: "Die https-Adresse eines Bildes" },
    "persona edit": { name: "ändern", description: "Ändere eine Persona" },
    "persona edit name": { description: "Welche Persona" },
    "persona edit prompt": { name: "wesen", description: "Wer sie ist und wie sie spricht" },
    "persona edit avatar": { name: "bild", description: "Die https-Adresse eines Bildes" },
    "persona delete": { name: "löschen", description: "Lösch eine Persona; was sie sagte, bleibt" },
    "persona delete name": { description: "Welche Persona" },
    "persona list": { name: "zeigen", description: "Zeig die Personas dieses Kanals" },
    "persona use": { name: "wählen", description: "Lass eine Persona antworten, ohne Namen wieder den Bot selbst" },
    "persona use name": { description: "Welche Persona" },
    tools: { name: "werkzeuge", description: "Was Parley hier kann" },
    "tools list": { name: "liste", description: "Zeig die Werkzeuge, welche gerade angeboten werden, und warum" },
    deliberate: { description: "Werkzeuge nur anbieten, wenn eine Nachricht danach fragt" },
    "deliberate mode": { name: "modus", description: "Schalt das in diesem Kanal ein oder aus" },
    "deliberate mode state": { name: "zustand", description: "Ein oder aus" },
    "deliberate context": { name: "nachlauf", description: "Wie viele Antworten lang ein benutztes Werkzeug bleibt" },
    "deliberate context turns": { name: "antworten", description: "0 bis 10 Antworten" },
    "deliberate trigger": { name: "auslöser", description: "Wörter dieses Kanals, die nach einem Werkzeug fragen" },
    "deliberate trigger action": { name: "aktion", description: "Was zu tun ist" },
    "deliberate trigger tool": { name: "werkzeug", description: "Welches Werkzeug" },
    "deliberate trigger phrase": {
      name: "wörter",
      description: "Wörter; * am Ende lässt es offen, ^ allein heißt immer",
    },
    "deliberate trigger pattern": { name: "muster", description: "Ein regulärer Ausdruck" },
    "deliberate me": { name: "ich", description: "Wähl für deine eigenen Nachrichten" },
    "deliberate me state": { name: "zustand", description: "Aus, wie im Kanal, oder ein" },
    config: { name: "einstellungen", description: "Die Einstellungen dieses Kanals" },
    "config show": { name: "zeigen", description: "Zeig, was hier gilt und warum" },
    "config set": { name: "setzen", description: "Setz eine Einstellung" },
    "config set key": { name: "schlüssel", description: "Welche Einstellung" },
    "config set value": { name: "wert", description: "Ihr neuer Wert" },
    "config clear": { name: "löschen", description: "Nimm eine Einstellung zurück" },
    "config clear key": { name: "schlüssel", description: "Welche Einstellung" },
    "Ask about this": { name: "Dazu etwas fragen" },
  },
};
