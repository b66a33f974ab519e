import Foundation
import TestSupport
import Testing

/// Every example that a reader of the page or of the help may try on a store of the demo.
@Suite struct ToolExamplesTests {
  @Test("F-71, F-76: the examples of the pages and of the help work on a store of the demo, and print what they say")
  func examplesWork() async throws {
    try await LongTest.run {
      let tools = try ToolExamples()
      let examples = try ToolExamples.ofPage("tool.md") + ToolExamples.ofPage("studio.md") + ToolExamples.ofHelp()
      #expect(examples.count > 60, "too few examples were found: \(examples.count)")
      #expect(examples.filter { $0.line.contains("| jq") && !$0.output.isEmpty }.count >= 5)
      if !ToolExamples.hasJQ { print("F-71: jq is not installed; the examples that need it are not tested") }
      for example in examples {
        if example.line.contains("| jq"), !ToolExamples.hasJQ { continue }
        if example.line.contains("| man "), (try? bash("command -v man").status) != 0 { continue }
        let result = try tools.run(example)
        // A difference, and what a repair could not save, have a code of their own.
        let mayFind = ["diff ", "repair "].contains { example.line.hasPrefix("larder \($0)") }
        #expect(result.status == 0 || (mayFind && result.status == 1), "\(example.line): \(result)")
        #expect(
          !result.errors.contains("larder: error:") && !result.errors.contains("jq: error"),
          "\(example.line): \(result)")
        guard example.line.contains("| jq"), !example.output.isEmpty else { continue }
        #expect(result.output.split(separator: "\n").map(String.init) == example.output, "\(example.line)")
      }
    }
  }
}
