internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The actions of a scripted server on one connection.
enum ScriptedConnection {
  /// Carries out a step; whether the connection continues.
  static func carryOut(_ step: ScriptedServer.Step, on connection: Int32) -> Bool {
    switch step {
    case .send(let data): return send(data, on: connection)
    case .close:
      // What the other side still sends is read, so that it gets all of the answer.
      shutdown(connection, Int32(SHUT_WR))
      wait(on: connection)
      return false
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      return false
    case .hang:
      wait(on: connection)
      return false
    case .wait(let gate):
      gate.waitUntilOpen()
      return true
    }
  }

  private static func send(_ data: Data, on connection: Int32) -> Bool {
    data.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = Glibc.send(connection, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  private static func wait(on connection: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while recv(connection, &buffer, buffer.count, 0) > 0 {}
  }
}

/// Finds the requests in what arrives on a connection.
struct ScriptedRequestReader {
  let connection: Int32
  let number: Int
  private var received = Data()

  init(connection: Int32, number: Int) {
    self.connection = connection
    self.number = number
  }

  /// The next request; `nil` when the connection ends.
  mutating func next() -> ScriptedServer.Request? {
    let blank = Data("\r\n\r\n".utf8)
    while true {
      if let end = received.range(of: blank) {
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self)
          .components(separatedBy: "\r\n")
        received = Data(received[end.upperBound...])
        var request = ScriptedServer.Request(
          line: lines[0], headers: Array(lines.dropFirst()), body: Data(), connection: number)
        let length = request["Content-Length"].flatMap { Int($0) } ?? 0
        while received.count < length { guard fill() else { return nil } }
        request.body = Data(received.prefix(length))
        received = Data(received.dropFirst(length))
        return request
      }
      guard fill() else { return nil }
    }
  }

  private mutating func fill() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(connection, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    received.append(contentsOf: buffer[..<count])
    return true
  }
}
