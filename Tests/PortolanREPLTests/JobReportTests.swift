import Foundation
import PortolanJobs
import Testing

@testable import PortolanREPL

@Suite struct JobReportTests {
  private static func job(_ name: String, _ state: JobState) throws -> Job {
    var job = Job(
      id: try #require(JobID("job-\(name)")), kind: "preplanned-area", subject: name, title: name,
      parameters: Data(), created: Date(timeIntervalSince1970: 0), position: 0)
    job.state = state
    return job
  }

  private static let refusal = JobState.failed(
    JobFailure(message: "The server refused.", advice: "Ask its owner.", kind: .refused))

  @Test func `One download that failed does not fail the others`() throws {
    let report = JobReport(
      jobs: [try Self.job("Casco", .succeeded), try Self.job("Acadia", Self.refusal)])
    let result = try report.ending()
    #expect(result.status == .partlyDone)
    guard case .document(let text, _) = result.body else {
      Issue.record("nothing is written")
      return
    }
    let lines = "\(text)"
    #expect(lines.contains("Casco") && lines.contains("The server refused."))
  }

  @Test(arguments: [JobState.paused, .cancelled])
  func `A download that somebody else has stopped is not done, one that was to stop is`(
    _ state: JobState
  ) throws {
    let report = JobReport(jobs: [try Self.job("Casco", state)])
    #expect(try report.ending().status == .partlyDone)
    #expect(try report.ending(asAsked: true).status == .done)
  }

  @Test func `Where every download failed, the first reason is the failure, with what to do`()
    throws
  {
    let report = JobReport(
      jobs: [try Self.job("Casco", Self.refusal), try Self.job("Acadia", Self.refusal)])
    let failure = try #require(throws: Failure.self) { try report.ending() }
    #expect(failure.message.contains("Casco"))
    #expect(failure.suggestion == "Ask its owner. \"resume job-Casc\" tries again.")
  }
}
