public import Foundation
internal import PortolanFiles
public import PortolanJobs

/// Claims among all processes that use a home.
///
/// A claim is a lock on one byte of a file that stays empty; which byte follows from the job, or, where it
/// says that a process works on jobs, from the number of the process. The kernel gives it back when the
/// process ends, so that nothing is left to clear up.
public struct FileJobClaims: JobClaims {
  /// The file.
  public let url: URL

  /// Describes the claims in a file, which is made when the first is requested.
  public init(url: URL) { self.url = url }

  public func claim(_ id: JobID) throws(JobError) -> JobClaim? {
    do {
      guard let lock = try ByteLock.attempt(at: Self.offset(of: id), of: url) else { return nil }
      return JobClaim { lock.release() }
    } catch {
      throw failure(error)
    }
  }

  public func isClaimed(_ id: JobID) throws(JobError) -> Bool {
    do {
      return try ByteLock.isHeld(at: Self.offset(of: id), of: url)
    } catch {
      throw failure(error)
    }
  }

  public func attend() throws(JobError) -> JobClaim {
    let process = Int64(ProcessInfo.processInfo.processIdentifier)
    do {
      // Shared, as a process of another container may have the same number. Nobody locks it alone.
      let lock = try ByteLock.attempt(
        at: Self.processes.lowerBound + process, of: url, sharing: true)
      return JobClaim { lock?.release() }
    } catch {
      throw failure(error)
    }
  }

  public func workers() throws(JobError) -> [JobWorker] {
    let offsets: [Int64]
    do { offsets = try ByteLock.held(in: Self.processes, of: url) } catch { throw failure(error) }
    return offsets.map { offset in
      let holder = FileLockHolder(numbered: Int32(offset - Self.processes.lowerBound))
      return JobWorker(
        name: holder.description,
        isThisProcess: holder.processID == ProcessInfo.processInfo.processIdentifier)
    }
  }

  /// The bytes of processes, behind those of jobs.
  private static let processes: Range<Int64> = (1 << 62)..<((1 << 62) + (1 << 31))

  private func failure(_ error: FileError) -> JobError {
    .journal(file: url.path(percentEncoded: false), reason: error.reason)
  }

  /// The byte of a job: the FNV-1a hash of its id in 62 bits.
  private static func offset(of id: JobID) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return Int64(hash >> 2)
  }
}
