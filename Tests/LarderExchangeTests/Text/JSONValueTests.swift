import Foundation
import LarderExchange
import Testing

@Suite("JSON values") struct JSONValueTests {
  @Test("members keep their order, and those without a value are left out") func objects() {
    let missing: Int? = nil
    let value: JSONValue = [
      "b": .init(1), "a": .init(["x", "y\"z"]), "none": missing.map { .init($0) }, "c": ["d": .init(true)],
    ]
    #expect(value.text == #"{"b": 1, "a": ["x", "y\"z"], "c": {"d": true}}"#)
    #expect(value.line == value.text + "\n")
  }

  @Test("what is missing in an array or of a member that stays is null") func nulls() {
    let (text, number): (String?, Int?) = (nil, nil)
    #expect(JSONValue(text).text == "null" && JSONValue(number).text == "null")
    #expect(
      (["a": .init(text), "b": [.init(number), .init("null")]] as JSONValue).text
        == #"{"a": null, "b": [null, "null"]}"#)
  }

  @Test("counts are in the order of their names; names and texts are escaped") func counts() {
    #expect(JSONValue(sorted: ["b": 2, "a": 1, "c\n": 3]).text == #"{"a": 1, "b": 2, "c\n": 3}"#)
    #expect(JSONValue(sorted: [:]).text == "{}" && JSONValue([String]()).text == "[]")
  }

  @Test("Foundation reads what is written") func parsed() throws {
    let value: JSONValue = ["a\u{7}": .init("\u{202E}x\u{85}"), "n": .init(UInt64.max), "f": .init(false)]
    let object = try JSONSerialization.jsonObject(with: Data(value.text.utf8)) as? [String: Any]
    #expect(object?["a\u{7}"] as? String == "\u{202E}x\u{85}" && object?["n"] as? UInt64 == .max)
    #expect(object?["f"] as? Bool == false)
  }
}
