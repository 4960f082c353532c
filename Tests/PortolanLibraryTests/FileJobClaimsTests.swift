import Foundation
import PortolanJobs
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

@Suite(.temporaryDirectory) struct FileJobClaimsTests {
  private var claims: FileJobClaims {
    FileJobClaims(url: HomeLayout(home: temporaryDirectory).claims)
  }

  @Test func `A job is claimed by one at a time, until the claim is let go of`() throws {
    let id = try #require(JobID("job-1"))
    do {
      let claim = try #require(try claims.claim(id))
      #expect(try claims.claim(id) == nil)
      #expect(try claims.isClaimed(id))
      withExtendedLifetime(claim) {}
    }
    #expect(try !claims.isClaimed(id))
    #expect(try claims.claim(id) != nil)
  }

  @Test func `Jobs are claimed apart`() throws {
    let held = try (1...50).map { number in
      try claims.claim(#require(JobID("job-\(number)")))
    }
    #expect(held.allSatisfy { $0 != nil })
  }

  @Test func `The reason why no file can be made is reported`() throws {
    let id = try #require(JobID("job-1"))
    let nowhere = FileJobClaims(url: temporaryDirectory.appending(path: "none/jobs.lock"))
    #expect(throws: JobError.self) { try nowhere.claim(id) }
    #expect(throws: JobError.self) { try nowhere.isClaimed(id) }
  }
}
