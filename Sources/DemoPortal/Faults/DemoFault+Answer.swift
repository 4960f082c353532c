internal import Foundation
internal import PortolanTransport

extension DemoFault.Kind {
  /// The answer that comes instead of the portal's own, if this fault is of that kind.
  var replacement: DemoResponse? {
    switch self {
    case .status(let status, let retryAfter):
      var response = DemoResponse.html("<h1>\(status)</h1>", status: status)
      response.headers["Retry-After"] = retryAfter.map(String.init)
      return response
    case .failure(let failure):
      return .failure(failure)
    case .html:
      return .html(
        "<!DOCTYPE html><html><head><title>Welcome to the network</title></head>"
          + "<body><form><input name=\"room\"><button>Connect</button></form></body></html>")
    case .latency, .drop, .cut, .stall, .slow, .wrongLength, .corrupt, .noRanges, .newVersion,
      .expiredToken:
      return nil
    }
  }

  /// Changes what the portal answers.
  func change(_ response: inout DemoResponse) {
    switch self {
    case .noRanges:
      response.hasRanges = false
    case .newVersion:
      response.headers["ETag"] = response.headers["ETag"].map { $0.dropLast() + "-new\"" }
    case .latency, .drop, .cut, .stall, .slow, .status, .failure, .html, .wrongLength, .corrupt,
      .expiredToken:
      break
    }
  }

  /// Adds what this does to the answer on its way.
  func add(to mishaps: inout DemoMishaps) {
    switch self {
    case .latency(let delay): mishaps.delay = (mishaps.delay ?? .zero) + delay
    case .drop: mishaps.dropsConnection = true
    case .cut(let count): mishaps.cut = min(mishaps.cut ?? .max, count)
    case .stall(let count): mishaps.stall = min(mishaps.stall ?? .max, count)
    case .slow(let rate): mishaps.rate = min(mishaps.rate ?? .max, max(rate, 1))
    case .wrongLength(let offset): mishaps.lengthOffset += offset
    case .corrupt(let bytes): mishaps.corruptBytes += bytes
    case .status, .failure, .html, .noRanges, .newVersion, .expiredToken: break
    }
  }
}
