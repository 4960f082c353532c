public import Foundation
public import Observation
public import PortolanPortal

/// The screen that shares files on a portal.
@MainActor
@Observable
public final class SharingModel {
  /// The sharing level of an item.
  public enum Access: String, Hashable, Sendable, Codable, CaseIterable {
    /// Its owner only, and the groups that it is shared with.
    case `private`
    /// The organization.
    case org
    /// Everyone.
    case `public`
  }

  /// The parameters of an upload.
  public struct Request: Hashable, Sendable {
    /// The file.
    public var file: URL
    /// The title; that of the package unless given.
    public var title: String?
    /// One or two sentences on it; those of the package unless given.
    public var summary: String?
    /// Words to find it by; those of the package unless given.
    public var tags: [String]
    /// The sharing level; if `nil`, private for a new item, and unchanged for one that is replaced.
    public var access: Access?
    /// The ids of groups that it is shared with, beside those that it is shared with already.
    public var groups: [String]
    /// Whether an item of yours of the same title and type is replaced.
    public var replacesItem: Bool
    /// The id of the item of yours that is replaced, whatever its title.
    public var item: String?

    /// Creates a request.
    public init(
      _ file: URL, title: String? = nil, summary: String? = nil, tags: [String] = [],
      access: Access? = nil, groups: [String] = [], replacesItem: Bool = false,
      item: String? = nil
    ) {
      self.file = file
      self.title = title
      self.summary = summary
      self.tags = tags
      self.access = access
      self.groups = groups
      self.replacesItem = replacesItem
      self.item = item
    }
  }

  /// The progress of an upload.
  public struct Progress: Hashable, Sendable, Codable {
    /// Bytes that the portal has.
    public var bytes: Int
    /// Bytes in all.
    public var totalBytes: Int
  }

  /// The result.
  public struct Result: Hashable, Sendable, Codable {
    /// The id of the item.
    public var id: String
    /// Its title.
    public var title: String
    /// The page of the item on the portal.
    public var page: URL?
    /// The sharing level, beside the groups that it is shared with.
    public var access: Access
    /// The size of the file, in bytes.
    public var size: Int
    /// Whether it took the place of an item that was there.
    public var replaced: Bool
    /// The number of bytes that were there already from an interrupted upload.
    public var resumedBytes: Int
    /// The ids of groups that the portal did not share it with.
    public var notSharedWith: [String]
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    case idle
    case running(Progress?)
    case done(Result)
    case failed(Problem)

    /// Whether sharing may be started.
    public var canShare: Bool {
      if case .running = self { false } else { true }
    }
  }

  /// The current state; observe this.
  public private(set) var state = State.idle

  @ObservationIgnored private let portals: any PortalConnecting
  @ObservationIgnored private let packages: any PackageOpening
  @ObservationIgnored private let ledger: any UploadLedger
  @ObservationIgnored private let partSize: Int?

  /// Creates the screen.
  ///
  /// - Parameters:
  ///   - portals: Where portals come from.
  ///   - packages: Opens packages, for their metadata.
  ///   - ledger: Keeps what is known of uploads, so that one that broke off can continue.
  ///   - partSize: The size of a part, in bytes, where it is not the default one.
  public init(
    portals: any PortalConnecting, packages: any PackageOpening, ledger: any UploadLedger,
    partSize: Int? = nil
  ) {
    self.portals = portals
    self.packages = packages
    self.ledger = ledger
    self.partSize = partSize
  }

  /// Shares a file; cancelling the task stops it, and asking again continues with it.
  ///
  /// - Parameters:
  ///   - request: What is requested.
  ///   - url: The portal; the one signed in to unless given.
  ///   - progress: Gets every report, and is finished at the end.
  /// - Returns: The result, which ``state`` holds too.
  /// - Throws: A problem if something is being shared or the title is blank, else why this cannot be.
  @discardableResult
  public func share(
    _ request: Request, on url: URL?, progress: AsyncStream<Progress>.Continuation? = nil
  ) async throws -> Result {
    defer { progress?.finish() }
    guard state.canShare else {
      throw Problem(message: "A file is being shared.", suggestion: "Wait until it is finished.")
    }
    state = .running(nil)
    do {
      try Problem.refuseBlank(request.title, of: "A shared item")
      let result = try await run(request, url, progress)
      state = .done(result)
      return result
    } catch {
      if let broken = brokenOff(by: error) {
        state = .failed(broken)
        throw broken
      }
      state = .failed(Problem(error))
      throw error
    }
  }

  /// The failure of an upload of which a part has arrived, by the portal or the network; `nil` for
  /// other failures.
  private func brokenOff(by error: any Error) -> Problem? {
    guard error is PortalError, case .running(let progress?) = state, progress.bytes > 0 else {
      return nil
    }
    var problem = Problem(error)
    guard problem.kind != .cancellation else { return nil }
    let advice = "What was uploaded is kept; sharing the same file in the same way continues it."
    problem.suggestion = [problem.suggestion, advice].compactMap(\.self).joined(separator: " ")
    return problem
  }

  private func run(
    _ request: Request, _ url: URL?, _ progress: AsyncStream<Progress>.Continuation?
  ) async throws -> Result {
    let facts = try await SharedFileFacts(of: request.file, packages: packages)
    let portal = try await portals.portal(at: url)
    var parameters = ItemUpload.Parameters(
      item: facts.item(for: request), access: request.access?.portalAccess,
      groups: try request.groups.map { try PortalItem.ID($0) },
      replacesItem: request.replacesItem,
      target: try request.item.map { try PortalItem.ID($0) })
    parameters.partSize = partSize ?? parameters.partSize
    let upload = ItemUpload(of: request.file, to: portal, parameters, ledger: ledger)
    let (reports, continuation) = AsyncStream.makeStream(
      of: Progress.self, bufferingPolicy: .bufferingNewest(1))
    async let running = Self.run(upload, reporting: continuation)
    var size = 0
    for await report in reports {
      state = .running(report)
      size = report.totalBytes
      progress?.yield(report)
    }
    let outcome = try await running
    return Result(
      id: outcome.item.text, title: parameters.item.title,
      page: URL(string: "\(portal.url.absoluteString)/home/item.html?id=\(outcome.item.text)"),
      access: Access(outcome.access), size: size, replaced: outcome.replaced,
      resumedBytes: outcome.resumedBytes, notSharedWith: outcome.notSharedWith)
  }

  @concurrent private static func run(
    _ upload: ItemUpload, reporting reports: AsyncStream<Progress>.Continuation
  ) async throws -> ItemUpload.Outcome {
    defer { reports.finish() }
    return try await upload.run { reports.yield(Progress(bytes: $0, totalBytes: $1)) }
  }
}

extension SharedFileFacts {
  /// The item that the file becomes.
  fileprivate func item(for request: SharingModel.Request) -> NewPortalItem {
    NewPortalItem(
      kind: kind, fileName: request.file.lastPathComponent, title: request.title ?? title,
      snippet: request.summary ?? snippet, details: details,
      tags: request.tags.isEmpty ? tags : request.tags, accessInformation: credits,
      extent: extent, thumbnail: thumbnail)
  }
}

extension SharingModel.Access {
  fileprivate init(_ access: PortalItem.Access) {
    self =
      switch access {
      case .organization: .org
      case .everyone: .public
      default: .private
      }
  }

  fileprivate var portalAccess: PortalItem.Access {
    switch self {
    case .private: .private
    case .org: .organization
    case .public: .everyone
    }
  }
}
