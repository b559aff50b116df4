import 'dart:math';

/// How two candidate records become one.
const double vectorFloorStrict = 0.82;
const double vectorFloorLoose = 0.74;
const int maxCandidates = 25;

enum GateReason { dualSignal, vectorOnly, rejected }

class Candidate {
  Candidate(this.id, this.score, {this.named = false});
  final String id;
  final double score;
  final bool named;
}

/// Lets a pair through when both signals agree, or the vector alone is sure.
GateReason relevanceGate(Candidate one, Candidate other) {
  final both = one.named && other.named;
  final score = min(one.score, other.score);
  if (both && score >= vectorFloorLoose) return GateReason.dualSignal;
  if (score >= vectorFloorStrict) return GateReason.vectorOnly;
  return GateReason.rejected;
}

class Merger {
  Merger({this.limit = maxCandidates});
  final int limit;
  int merged = 0;

  List<Candidate> merge(List<Candidate> all) {
    final kept = <Candidate>[];
    for (final one in all.take(limit)) {
      final twin = _twinOf(one, kept);
      if (twin == null) {
        kept.add(one);
      } else {
        merged += 1;
      }
    }
    return kept;
  }

  Candidate? _twinOf(Candidate one, List<Candidate> kept) {
    for (final other in kept) {
      if (relevanceGate(one, other) != GateReason.rejected) return other;
    }
    return null;
  }
}
