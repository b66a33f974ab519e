// What a schema file would do to the store: the steps, and the values that would be lost. It never writes.

import { el, button, put, alert, quiet, bar } from "./dom.js";
import { post, write } from "./api.js";
import { number, shown, plain } from "./text.js";
import { exact } from "./values.js";

export class Migration {
  constructor(place, file) {
    this.place = place;
    this.read(file);
  }

  async read(file) {
    const head = bar(el("h2", {}, "Migration with ", shown(file.name)), button("Close", () => put(this.place)));
    put(this.place, head, quiet("Trying it…"));
    if (file.size > 1_000_000) { put(this.place, head, alert("The file is larger than 1 MB.")); return; }
    try {
      const answer = await post("migration-preview", await file.text());
      put(this.place, head, el("div", { class: "migration", role: "status" }, this.parts(answer)));
    } catch (error) {
      put(this.place, head, alert(shown(error.message)));
    }
  }

  parts(answer) {
    const step = (one) => el("li", {}, shown(typeof one === "string" ? one : write(one)));
    return [
      el("p", {}, `Schema version ${answer.oldSchemaVersion} becomes ${answer.newSchemaVersion}. Nothing is written.`),
      el("h3", {}, "Steps"), answer.steps.length ? el("ol", {}, answer.steps.map(step)) : quiet("none: the store has this schema"),
      el("h3", {}, "Losses"), answer.losses.length ? el("ul", { class: "losses" }, answer.losses.map((loss) => el("li", {},
        el("b", {}, `${loss.class}${loss.property ? `.${loss.property}` : ""}`), `: ${number(loss.count)} ${loss.property ? "values" : "objects"} would be lost`,
        el("ul", {}, (loss.examples ?? []).map((example) => el("li", {}, shown(exact(example.primaryKey ?? `#${example.key}`)), " ", plain(write(example.values)).slice(0, 200))))))) : quiet("none"),
      answer.hints?.length ? [el("h3", {}, "Hints"), el("ul", {}, answer.hints.map(step))] : null,
    ];
  }
}
