import Foundation
import PortolanGeometry
import PortolanJSON
import Testing

@testable import PortolanPackages

/// The document of a package, in the several ways in which it is written.
@Suite struct PackageInfoTests {
  private func info(_ members: JSONObject) -> PackageInfo {
    PackageInfo(json: members, fallbackName: "file")
  }

  // MARK: - Expiration

  private static let moment = 1_900_000_000.0
  private static let dates: [(JSONObject, Double?)] = [
    (["expirationDate": 1_900_000_000], moment), (["Expires": 1_900_000_000_000], moment),
    (["expirationDate": "1900000000000"], moment),
    (["expirationDate": "2030-03-17T17:46:40Z"], moment),
    (["expirationDate": "2030-03-17T17:46:40.000Z"], moment),
    // A day without a time lasts to its end.
    (["expirationDate": "2030-03-17"], moment - 64_000 + 86_399),
    // In seconds that is the year 5138, in milliseconds 1973.
    (["expirationDate": 99_999_999_999], 99_999_999_999),
    (["expirationDate": 100_000_000_000], 100_000_000),
    (["expirationDate": 0], nil), (["expirationDate": .integer(-5)], nil),
    (["expirationDate": "soon"], nil),
    (["date": 1_900_000_000], nil), (["expirationPolicy": 1], nil),
    (["expirationWarningDays": 30, "expirationDate": 1_900_000_000], moment),
    (["expiration": ["since": 1_500_000_000, "date": 1_900_000_000]], moment),
    (["expiration": ["at": 1_900_000_000]], moment),
    (["expiration": ["date": 1_500_000_000], "expires": 1_900_000_000], moment),
  ]

  @Test(arguments: dates)
  func `A package's expiration is read in seconds, milliseconds or words`(
    _ members: JSONObject, _ seconds: Double?
  ) { #expect(info(members).expiration?.date.timeIntervalSince1970 == seconds) }

  @Test(arguments: [
    ("preventAccess", PackageExpiration.Policy.preventAccess), ("DENY", .preventAccess),
    ("Block after", .preventAccess), ("hard", .preventAccess),
    ("DONT_ALLOW_TO_OPEN", .preventAccess), ("ALLOW_TO_OPEN", .allowAccess),
    ("allowAccess", .allowAccess), ("warn", .allowAccess), ("", .allowAccess),
  ])
  func `Only what says so keeps an expired package from being opened`(
    _ type: String, _ policy: PackageExpiration.Policy
  ) {
    // The messages to people do not count.
    let message = "Old maps prevent nothing; do not deny or block them."
    let nested = info([
      "expiration": ["date": 1_900_000_000, "type": .string(type), "message": .string(message)]
    ])
    let plain = info([
      "expirationDate": 1_900_000_000, "expirationType": .string(type),
      "expirationMessage": .string(message),
    ])
    for expiration in [nested.expiration, plain.expiration] {
      #expect(expiration?.policy == policy && expiration?.message == message)
    }
  }

  // MARK: - The rest

  @Test func `A package is named by its title, its name or its file`() {
    let members: [(JSONObject, String, String)] = [
      (["title": "T", "name": "n"], "T", "n"), (["TITLE": "T", "Name": "n"], "T", "n"),
      (["title": "", "name": "n"], "n", "n"), (["title": "T", "name": ""], "T", "file"),
      ([:], "file", "file"),
    ]
    for (members, title, name) in members {
      #expect(info(members).title == title && info(members).name == name)
    }
    #expect(info(["snippet": "s"]).summary == "s")
    #expect(info(["snippet": "s", "summary": "t"]).summary == "t")
  }

  @Test func `The version is a text or a number, and the first by default`() {
    let versions: [(JSONObject, String, Int?)] = [
      (["version": "3.2"], "3.2", 3), (["Version": 2], "2.0", 2), (["version": 1.5], "1.5", 1),
      ([:], "1.0", 1), (["version": "beta"], "beta", nil),
    ]
    for (members, text, major) in versions {
      #expect(info(members).version == text && info(members).majorVersion == major)
    }
  }

  @Test func `Maps are named themselves, or by where they are`() {
    let maps: JSONValue = [
      "a", ["name": "b", "path": "p20/x.mmap"], ["path": "p20/c.mmap"], ["path": "d"],
      ["id": "e"], 5, "f.mmap", "p20/g.MMAP",
    ]
    #expect(info(["maps": maps]).mapNames == ["a", "b", "c", "d", "f", "g"])
    #expect(info([:]).mapNames.isEmpty)
  }

  @Test func `A picture comes with its media type or without, and what is none is left out`() {
    let picture = Data([0, 1, 2])
    #expect(info(["thumbnail": "AAEC"]).thumbnail == picture)
    #expect(info(["thumbnail": "data:image/png;base64,AAEC"]).thumbnail == picture)
    #expect(info(["thumbnail": ""]).thumbnail == nil)
  }

  @Test func `Dates are in milliseconds, and an extent of one corner is none`() {
    let told = info([
      "created": 1_000, "modified": "2000", "extent": [[0, 1], [2, 3]],
    ])
    #expect(told.created == Date(timeIntervalSince1970: 1))
    #expect(told.modified == Date(timeIntervalSince1970: 2))
    #expect(told.extent == Envelope(xMin: 0, yMin: 1, xMax: 2, yMax: 3))
    #expect(info(["created": "nan", "extent": [[0, 1]]]).created == nil)
    #expect(info(["extent": [[0, 1]]]).extent == nil)
  }
}
