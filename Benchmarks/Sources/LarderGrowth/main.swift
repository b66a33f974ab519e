import Foundation
import Larder

// What a write takes when it is asked for twice as much, three times over: work that is linear doubles. Prints seconds of processor time.
//
//   larder-growth [SMALLEST]     12,500 unless told

private let smallest = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12_500

private func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

private func padded(_ text: String, to width: Int) -> String {
  text.padding(toLength: width, withPad: " ", startingAt: 0)
}

// Each store is in memory and is meant to end with its measurement.
Logger.shared.level = .error

for work in GrowingWork.all {
  var times: [Double] = []
  for doubling in 0...3 {
    times.append(
      try inScope {
        let run = try work.prepare(smallest << doubling)
        let start = processorTime()
        try run()
        return processorTime() - start
      })
  }
  let factors = zip(times.dropFirst(), times).map { String(format: "%.1fx", $0 / max($1, 0.001)) }
  print(
    padded(work.name, to: 46), times.map { String(format: "%6.2f", $0) }.joined(separator: " "),
    factors.joined(separator: " "))
}

/// Runs work in a scope of its own, so that what it made is released before the next.
func inScope<Result>(_ work: () throws -> Result) rethrows -> Result { try work() }
