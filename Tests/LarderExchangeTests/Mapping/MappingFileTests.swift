import Foundation
import LarderExchange
import TestSupport
import Testing

@Suite struct MappingFileTests {
  private func read(_ text: String) throws -> ImportMapping {
    try withTemporaryDirectory { try MappingFile.read(try $0.write(text, to: "m.json")) }
  }

  @Test func theFixtureMappingsAreRead() throws {
    for folder in ["geonames", "nycflights13"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(fixtures)/\(folder)")
      where name.hasSuffix(".map.json") {
        let mapping = try MappingFile.read("\(fixtures)/\(folder)/\(name)")
        #expect(mapping.className != nil && !mapping.properties.isEmpty, "\(name)")
      }
    }
    let countries = try MappingFile.read(fixtures + "/geonames/countries.map.json")
    let neighbours = try #require(countries.properties.last)
    #expect(neighbours.link?.target == "Country")
    #expect(neighbours.link?.by == "iso")
    #expect(neighbours.isList && neighbours.split == ",")
  }

  @Test(
    arguments: [
      ("{\n  \"clas\": \"City\"}", 2, 11, "Did you mean 'class'?"),
      ("{\"properties\": {\"a\": \"integer\"}}", 1, 22, "no type 'integer'"),
      ("{\"properties\": {\"a\": {\"by\": \"x\"}}}", 1, 22, "need 'link'"),
      ("{\"properties\": {\"a\": {\"embed\": \"X\"}}}", 1, 22, "'properties' beside"),
      ("{\"properties\": {\n\"a\": {\"primarykey\": true}}}", 2, 21, "primaryKey"),
      ("{\"properties\": [1]}", 1, 16, "an object of properties"),
      ("{\"properties\": {\"a\": {\"missing\": \"no\", \"link\": \"X\"}}}", 1, 34, "\"error\" or \"null\""),
      ("{\n\n", 3, 1, "field name"),
      ("{\"properties\": {\"a\": {\"frm\": \"x\"}}}", 1, 30, "'frm' means nothing here"),
      ("{\"properties\": {\"a\": {\"split\": \"\"}}}", 1, 32, "cut at nothing"),
      ("{\"properties\": {\"a\": {\"list\": \"yes\"}}}", 1, 31, "true or false was expected"),
      ("{\"properties\": {\"a\": {\"properties\": {\"b\": \"int\"}}}}", 1, 22, "needs 'embed' beside it"),
      (
        "{\"properties\": {\"a\": {\"link\": \"Y\", \"embed\": \"X\", \"properties\": {\"b\": \"int\"}}}}", 1, 22,
        "excludes"
      ),
      ("{\"properties\": {\"a\": \"int\", \"a\": \"int\"}}", 1, 29, "given twice"),
      ("{\"null\": 5}", 1, 10, "a string was expected"),
    ])
  func aFaultHasItsLineAndColumn(_ text: String, _ line: Int, _ column: Int, _ words: String) throws {
    do {
      _ = try read(text)
      Issue.record("no fault")
    } catch let fault as InputFault {
      #expect((fault.line, fault.column) == (line, column), "\(fault)")
      #expect(fault.message.contains(words), "\(fault)")
    }
  }
}
