import Foundation
import PortolanFiles
import PortolanJobs
import PortolanTransport
import Testing

@testable import PortolanOffline

@Suite struct JobInterruptionTests {
  private static let errors: [any Error] = [
    TransportError.storage(file: "a.part.json", reason: "Input/output error"),
    FileError.unwritable(file: "a", reason: "Input/output error"),
    CocoaError(.fileWriteUnknown),
  ]

  @Test(arguments: 0..<3)
  func `A disk that fails ends the job, and is no fault of the file at hand`(_ number: Int) {
    guard case .failed(let failure) = JobInterruption(Self.errors[number]) else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.kind == .device)
  }

  private static let full: [any Error] = [
    TransportError.diskFull(file: "a", needed: 7), FileError.diskFull(file: "a"),
    CocoaError(.fileWriteOutOfSpace),
  ]

  @Test(arguments: 0..<3) func `A full disk is waited for`(_ number: Int) {
    #expect(
      JobInterruption(Self.full[number]) == .waiting(.space(missing: number == 0 ? 7 : 0)))
  }
}
