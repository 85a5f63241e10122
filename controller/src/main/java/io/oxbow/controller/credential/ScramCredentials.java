// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.credential;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialDeletion;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialUpsertion;
import org.apache.kafka.common.message.AlterUserScramCredentialsResponseData;
import org.apache.kafka.common.message.AlterUserScramCredentialsResponseData.AlterUserScramCredentialsResult;
import org.apache.kafka.common.metadata.RemoveUserScramCredentialRecord;
import org.apache.kafka.common.metadata.UserScramCredentialRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Decides AlterUserScramCredentials (KIP-554). The password never comes here: clients salt it, and
 * of that the keys of RFC 5802 are kept. Each user stands for itself, with all its mechanisms.
 */
public final class ScramCredentials {
    private static final int MAX_ITERATIONS = 16_384;

    private final Situation situation;
    private final Map<String, Optional<Refusal>> users = new LinkedHashMap<>();
    private final Map<String, List<ApiMessageAndVersion>> records = new LinkedHashMap<>();
    private final Set<Credential> seen = new HashSet<>();

    /** One user's credential of one mechanism. */
    private record Credential(String user, byte mechanism) {}

    private ScramCredentials(Situation situation) {
        this.situation = situation;
    }

    public static Decision<AlterUserScramCredentialsResponseData> decide(
            Situation situation, AlterUserScramCredentialsRequestData request) {
        ScramCredentials credentials = new ScramCredentials(situation);
        for (ScramCredentialDeletion deletion : request.deletions()) credentials.delete(deletion);
        for (ScramCredentialUpsertion upsertion : request.upsertions()) credentials.set(upsertion);
        List<AlterUserScramCredentialsResult> results = new ArrayList<>();
        List<ApiMessageAndVersion> accepted = new ArrayList<>();
        credentials.users.forEach(
                (user, refusal) -> {
                    AlterUserScramCredentialsResult result =
                            new AlterUserScramCredentialsResult().setUser(user);
                    refusal.ifPresentOrElse(
                            why -> result.setErrorCode(why.code()).setErrorMessage(why.message()),
                            () -> accepted.addAll(credentials.records.get(user)));
                    results.add(result);
                });
        return new Decision<>(
                accepted, new AlterUserScramCredentialsResponseData().setResults(results));
    }

    private void delete(ScramCredentialDeletion deletion) {
        Credential credential = new Credential(deletion.name(), deletion.mechanism());
        add(
                credential,
                check(credential).or(() -> missing(credential)),
                () ->
                        new ApiMessageAndVersion(
                                new RemoveUserScramCredentialRecord()
                                        .setName(deletion.name())
                                        .setMechanism(deletion.mechanism()),
                                (short) 0));
    }

    private void set(ScramCredentialUpsertion upsertion) {
        Credential credential = new Credential(upsertion.name(), upsertion.mechanism());
        add(
                credential,
                check(credential).or(() -> badIterations(upsertion)),
                () -> new ApiMessageAndVersion(record(upsertion), (short) 0));
    }

    private void add(
            Credential credential,
            Optional<Refusal> refusal,
            Supplier<ApiMessageAndVersion> record) {
        String user = credential.user();
        records.computeIfAbsent(user, name -> new ArrayList<>());
        users.merge(user, refusal, (before, now) -> before.isPresent() ? before : now);
        if (refusal.isEmpty()) records.get(user).add(record.get());
    }

    private Optional<Refusal> check(Credential credential) {
        if (!situation.version().isScramSupported()) {
            return refuse(
                    Errors.UNSUPPORTED_VERSION,
                    "SCRAM credentials can be kept from metadata.version 3.5-IV2 on; the cluster's"
                            + " is "
                            + situation.version());
        }
        if (credential.user().isEmpty()) {
            return refuse(Errors.UNACCEPTABLE_CREDENTIAL, "The user has an empty name.");
        }
        if (mechanism(credential.mechanism()) == null) {
            return refuse(
                    Errors.UNSUPPORTED_SASL_MECHANISM,
                    "SCRAM mechanism " + credential.mechanism() + " is not known.");
        }
        if (!seen.add(credential)) {
            return refuse(
                    Errors.DUPLICATE_RESOURCE,
                    "The request alters one credential of '" + credential.user() + "' twice.");
        }
        return Optional.empty();
    }

    private Optional<Refusal> missing(Credential credential) {
        Map<String, ?> known =
                situation
                        .image()
                        .scram()
                        .mechanisms()
                        .get(
                                org.apache.kafka.clients.admin.ScramMechanism.fromType(
                                        credential.mechanism()));
        if (known != null && known.containsKey(credential.user())) return Optional.empty();
        return refuse(
                Errors.RESOURCE_NOT_FOUND,
                "User '" + credential.user() + "' has no credential of that mechanism.");
    }

    private static Optional<Refusal> badIterations(ScramCredentialUpsertion upsertion) {
        int least = mechanism(upsertion.mechanism()).minIterations();
        int given = upsertion.iterations();
        if (given >= least && given <= MAX_ITERATIONS) return Optional.empty();
        return refuse(
                Errors.UNACCEPTABLE_CREDENTIAL,
                given + " iterations are not possible: give " + least + " to " + MAX_ITERATIONS);
    }

    private static UserScramCredentialRecord record(ScramCredentialUpsertion upsertion) {
        try {
            ScramFormatter formatter = new ScramFormatter(mechanism(upsertion.mechanism()));
            byte[] salted = upsertion.saltedPassword();
            return new UserScramCredentialRecord()
                    .setName(upsertion.name())
                    .setMechanism(upsertion.mechanism())
                    .setSalt(upsertion.salt())
                    .setStoredKey(formatter.storedKey(formatter.clientKey(salted)))
                    .setServerKey(formatter.serverKey(salted))
                    .setIterations(upsertion.iterations());
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("This Java has no HMAC for SCRAM", missing);
        }
    }

    /** The library's mechanism by its number on the wire; null if there is none. */
    private static ScramMechanism mechanism(byte type) {
        return ScramMechanism.forMechanismName(
                org.apache.kafka.clients.admin.ScramMechanism.fromType(type).mechanismName());
    }

    private static Optional<Refusal> refuse(Errors error, String message) {
        return Optional.of(new Refusal(error, message));
    }
}
