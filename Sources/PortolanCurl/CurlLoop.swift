internal import CCurl
internal import Foundation
internal import PortolanTransport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The event thread: all transfers, on one thread, until it is closed.
struct CurlLoop: ~Copyable {
  private let mailbox: CurlMailbox
  private let configuration: CurlConfiguration
  private let multi: CurlMulti
  private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
  /// Handles that wait for their next transfer.
  private var idle: [CurlHandle] = []

  private static let mostIdle = 64
  private static let longestWait: Int32 = 60_000

  /// Creates a loop; `nil` if there is no memory for it.
  private init?(_ mailbox: CurlMailbox, _ configuration: CurlConfiguration) {
    guard let multi = CurlMulti() else { return nil }
    self.mailbox = mailbox
    self.configuration = configuration
    self.multi = multi
  }

  /// Serves `mailbox` until it is closed; called on a thread of its own.
  static func run(_ mailbox: CurlMailbox, _ configuration: CurlConfiguration) {
    blockSignals()
    if var loop = CurlLoop(mailbox, configuration) {
      unsafe mailbox.setSleeper(loop.multi.pointer)
      loop.serve()
      unsafe mailbox.setSleeper(nil)
    } else {
      Self.refuseAll(mailbox)
    }
    mailbox.end()
  }

  private mutating func serve() {
    while true {
      for command in mailbox.take() {
        switch command {
        case .start(let job): start(job)
        case .cancel(let id): end(id, .failure(.cancelled))
        case .sinkChanged(let id):
          if let failure = transfers[id]?.sinkChanged() { end(id, .failure(failure)) }
        case .close:
          for id in Array(transfers.keys) { end(id, .failure(.cancelled)) }
          // Before the library itself is left.
          idle = []
          return
        }
      }
      multi.perform()
      while let (transfer, code) = multi.nextEnded() {
        end(transfer.job.id, transfer.result(code))
      }
      multi.wait(milliseconds: endOverdue())
    }
  }

  private mutating func start(_ job: CurlJob) {
    guard !job.cancellation.isRequested else { return job.finish(.failure(.cancelled)) }
    guard let handle = idle.popLast() ?? CurlHandle() else {
      return job.finish(.failure(.interrupted(job.request.address, reason: "there is no memory")))
    }
    handle.reset()
    do throws(TransportError) {
      let (mailbox, id) = (mailbox, job.id)
      let transfer = try CurlTransfer(job, on: handle, configuration) {
        _ = mailbox.put(.sinkChanged(id))
      }
      transfers[job.id] = transfer
      if !multi.add(handle) {
        end(job.id, .failure(.interrupted(job.request.address, reason: "there is no memory")))
      }
    } catch {
      job.finish(.failure(error))
    }
  }

  /// Takes a transfer out and reports its result; nothing if it has ended before.
  private mutating func end(
    _ id: ObjectIdentifier, _ result: Result<HTTPResponseHead, TransportError>
  ) {
    guard let transfer = transfers.removeValue(forKey: id) else { return }
    multi.remove(transfer.handle)
    // A handle that was paused might begin its next transfer so.
    if idle.count < Self.mostIdle, !transfer.isPaused { idle.append(transfer.handle) }
    transfer.finish(result)
  }

  /// Ends the transfers that have waited too long; returns how long the next may wait.
  private mutating func endOverdue() -> Int32 {
    guard !transfers.isEmpty else { return Self.longestWait }
    let now = ContinuousClock.now
    var wait = Duration.milliseconds(Self.longestWait)
    for (id, transfer) in transfers {
      guard let deadline = transfer.deadline else { continue }
      if deadline <= now {
        end(id, .failure(transfer.timeout))
      } else {
        wait = min(wait, now.duration(to: deadline))
      }
    }
    // Rounded up, so that it does not wake a moment too early again and again.
    return Int32(wait / .milliseconds(1)) + 1
  }

  /// Signals belong to the program's own threads; a broken connection must not end the process.
  private static func blockSignals() {
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  private static func refuseAll(_ mailbox: CurlMailbox) {
    _ = mailbox.put(.close)
    for case .start(let job) in mailbox.take() {
      job.finish(.failure(.interrupted(job.request.address, reason: "there is no memory")))
    }
  }
}
