internal import Foundation
internal import PortolanHTTPServer

/// The body of an answer on its way out, with the mishaps and the pace that were requested.
struct DemoBody: HTTPServerBody {
  /// Longer than any client waits.
  private static let stall = Duration.seconds(3600)

  private let reader: BodyReader
  private let pace: BodyPace?
  private let transfer: Int?
  private let log: TransferLog?
  private let clock: DemoClock

  init(_ delivery: DemoDelivery, target: String, log: TransferLog?, clock: DemoClock) {
    reader = BodyReader(delivery)
    pace = delivery.mishaps.rate.map { BodyPace(rate: $0) }
    transfer = log?.begin(target, delivery)
    self.log = log
    self.clock = clock
  }

  func next(at position: Int, limit: Int) -> HTTPServerBodyStep {
    if let pause = pace?.pause(at: position) { return wait(pause) }
    switch reader.step(at: position, limit: min(limit, pace?.piece ?? .max)) {
    case .bytes(let count):
      if let transfer { log?.add(count, to: transfer) }
      return .bytes(reader.bytes(at: position, count: count))
    case .stall: return wait(Self.stall)
    case .cut: return .cut
    }
  }

  /// Lets the client wait, until it gives up or the server stops at most.
  private func wait(_ pause: Duration) -> HTTPServerBodyStep {
    .wait { [clock] in
      // The sleep ends early when the server stops, and then the connection ends too.
      try? await clock.sleep(pause)
    }
  }
}
