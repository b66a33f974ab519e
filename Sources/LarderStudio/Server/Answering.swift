import Foundation
import LarderLocks

/// The way to answer requests: on queues, within a time, and no longer than a client waits.
struct Answering: Sendable {
  let handler: any Handler
  /// Seconds after which a question is stopped.
  var patience = ErrorAnswer.patience

  /// Answers a request. A question is stopped when the task is cancelled; what changes the store is done all the same.
  ///
  /// Answers read the store and may take long: not on the threads that serve sockets.
  func answer(_ request: StudioRequest) async -> StudioResponse {
    // It must not wait for the threads of those that it ends.
    guard !request.endsOthers else { return handler.respond(to: request) }
    let pending = PendingAnswer()
    let interruption = Interruption()
    Self.queue.async { pending.give(Interruption.$current.withValue(interruption) { handler.respond(to: request) }) }
    // What is being committed is answered with what it comes to.
    Self.clock.asyncAfter(deadline: .now() + patience) { [weak interruption] in
      if interruption?.stop() ?? false { pending.give(ErrorAnswer.response(ErrorAnswer.late)) }
    }
    guard request.isQuestion else { return await pending.value }
    return await withTaskCancellationHandler {
      await pending.value
    } onCancel: {
      interruption.stop()
      pending.give(ErrorAnswer.response(RunningQuestions.unwanted))
    }
  }

  private static let queue = DispatchQueue(label: "larder.studio", attributes: .concurrent)
  /// Of another quality: questions may take all threads of theirs.
  private static let clock = DispatchQueue(label: "larder.studio.clock", qos: .userInteractive)
}
