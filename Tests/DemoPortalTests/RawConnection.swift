import Foundation

/// A socket to a server on this machine, for what no HTTP client would send or put up with.
///
/// Waiting happens on a thread of its own, since those of tasks serve the answers.
final class RawConnection: Sendable {
  private let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(descriptor) }

  /// Sends text; lines end as HTTP wants them.
  func send(_ text: String) {
    let bytes = Array(text.replacing("\n", with: "\r\n").utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Reads until the connection ends or `isEnough` says so.
  func receive(
    until isEnough: @escaping @Sendable (Data) -> Bool = { _ in false }
  ) async -> Data {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.wait(until: isEnough)) }
    }
  }

  private func wait(until isEnough: (Data) -> Bool) -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !isEnough(data) {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      data.append(contentsOf: buffer[..<count])
    }
    return data
  }

  /// Sends one request that closes the connection, and reads the answer.
  func answer(to request: String) async -> RawAnswer {
    send(request)
    return RawAnswer(await receive())
  }
}

/// An answer as it came.
struct RawAnswer {
  let head: String
  let body: Data

  init(_ data: Data) {
    let blank = data.range(of: Data("\r\n\r\n".utf8))
    head = String(decoding: data[..<(blank?.lowerBound ?? data.endIndex)], as: UTF8.self)
    body = blank.map { Data(data[$0.upperBound...]) } ?? Data()
  }

  var status: Int { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

  subscript(name: String) -> String? {
    for line in head.split(separator: "\r\n") {
      let halves = line.split(separator: ":", maxSplits: 1)
      if halves.count == 2, halves[0].lowercased() == name.lowercased() {
        return halves[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}
