import Foundation
import LarderExchange
import TestSupport

/// Reads all records of a file; each as (field, text) pairs.
func readAll(_ path: String, _ format: InputFormat? = nil) throws -> [[String: String]] {
  let reader = try (format ?? InputFormat(path: path) ?? .jsonl).open(path)
  var records: [[String: String]] = []
  while let record = try reader.next() {
    records.append(Dictionary(uniqueKeysWithValues: record.fields.map { ($0.name, describe($0.node.value)) }))
  }
  return records
}

func describe(_ value: InputValue) -> String {
  switch value {
  case .null: "null"
  case .bool(let bool): "\(bool)"
  case .integer(let integer): "\(integer)"
  case .number(_, let text): text
  case .string(let text): "\"\(text)\""
  case .text(let text): text
  case .array(let nodes): "[\(nodes.map { describe($0.value) }.joined(separator: ","))]"
  case .object(let fields): "{\(fields.map { "\($0.name):\(describe($0.node.value))" }.joined(separator: ","))}"
  }
}

/// The fault that reading a text gives, or nil.
func fault(in text: String, name: String) throws -> InputFault? {
  try fault(in: Array(text.utf8), name: name)
}

func fault(in bytes: [UInt8], name: String) throws -> InputFault? {
  try withTemporaryDirectory { directory in
    let path = try directory.write(bytes, to: name)
    do {
      _ = try readAll(path)
      return nil
    } catch let fault as InputFault {
      return fault
    }
  }
}
